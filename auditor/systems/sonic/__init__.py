"""Community SONiC: config_db.json and its fragments, the platform's table of headroom, and show captures."""
