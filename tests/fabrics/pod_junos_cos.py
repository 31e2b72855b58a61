"""The class of service of the pod's Junos switches, the same on each: RDMA has queue 4 and the pauses of priority 3."""

NAMED = {18, 26, 48, 56}
"""DSCPs of classes of their own; the rest is best effort."""
BEST_EFFORT = f"[ {' '.join(f'{dscp:06b}' for dscp in range(64) if dscp not in NAMED)} ]"

CLASS_OF_SERVICE = (
    """\
class-of-service {
    classifiers {
        dscp SU1 {
            forwarding-class best-effort {
                loss-priority low code-points """
    + BEST_EFFORT
    + """\
;
            }
            forwarding-class STORAGE {
                loss-priority low code-points 010010;
            }
            forwarding-class NO-LOSS {
                loss-priority low code-points 011010;
            }
            forwarding-class CNP {
                loss-priority low code-points 110000;
            }
            forwarding-class network-control {
                loss-priority low code-points 111000;
            }
        }
    }
    drop-profiles {
        SU1-ECN {
            interpolate {
                fill-level [ 2 10 ];
                drop-probability [ 0 100 ];
            }
        }
    }
    shared-buffer {
        ingress {
            buffer-partition lossless {
                percent 66;
                dynamic-threshold 7;
            }
            buffer-partition lossless-headroom {
                percent 24;
            }
            buffer-partition lossy {
                percent 10;
            }
        }
        egress {
            buffer-partition lossless {
                percent 66;
            }
            buffer-partition lossy {
                percent 10;
            }
        }
    }
    dedicated-buffer {
        ingress {
            percent 15;
        }
        egress {
            percent 30;
        }
    }
    forwarding-classes {
        class best-effort queue-num 0;
        class STORAGE queue-num 2;
        class NO-LOSS queue-num 4 no-loss pfc-priority 3;
        class CNP queue-num 6;
        class network-control queue-num 7;
    }
    congestion-notification-profile {
        SU1-PFC {
            pfc-watchdog {
                poll-interval 100;
                detection 2;
                recovery 400;
                watchdog-action drop;
            }
            input {
                dscp {
                    code-point 011010 {
                        pfc;
                    }
                }
                cable-length 40;
            }
            output {
                ieee-802.1 {
                    code-point 011 {
                        flow-control-queue 4;
                    }
                }
            }
        }
    }
    interfaces {
        et-* {
            congestion-notification-profile SU1-PFC;
            scheduler-map SU1;
            unit * {
                classifiers {
                    dscp SU1;
                }
            }
        }
    }
    scheduler-maps {
        SU1 {
            forwarding-class best-effort scheduler best-effort;
            forwarding-class STORAGE scheduler storage;
            forwarding-class NO-LOSS scheduler no-loss;
            forwarding-class CNP scheduler cnp;
            forwarding-class network-control scheduler control;
        }
    }
    schedulers {
        best-effort {
            transmit-rate percent 10;
            priority low;
            buffer-dynamic-threshold 5;
        }
        storage {
            transmit-rate percent 10;
            priority low;
            buffer-dynamic-threshold 7;
        }
        no-loss {
            transmit-rate percent 75;
            priority low;
            buffer-dynamic-threshold 9;
            drop-profile-map loss-priority any protocol any drop-profile SU1-ECN;
            explicit-congestion-notification;
        }
        cnp {
            shaping-rate 20g;
            priority strict-high;
            buffer-dynamic-threshold 7;
        }
        control {
            shaping-rate 8g;
            priority strict-high;
            buffer-dynamic-threshold 7;
        }
    }
}
"""
)
