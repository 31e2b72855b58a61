"""The pod's cluster: how its operator sets the NICs of the GPU servers, and a training job."""

from pod_nics import TRAFFIC_CLASS


def manifests() -> str:
    """Return what the cluster is given."""
    return f"""\
apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicConfigurationTemplate
metadata: {{name: rails, namespace: network-operator}}
spec:
  nodeSelector: {{feature.node.kubernetes.io/pci-15b3.present: "true"}}
  nicSelector: {{nicType: "1021"}}
  template:
    numVfs: 0
    linkType: Ethernet
    roceOptimized:
      enabled: true
      qos:
        trust: dscp
        pfc: "0,0,0,1,0,0,0,0"
        tos: {TRAFFIC_CLASS}
    rawNvConfig:
      - {{name: CNP_DSCP_P1, value: "48"}}
---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {{name: rail0, namespace: training}}
spec:
  config: '{{"cniVersion": "0.3.1", "type": "macvlan", "master": "rail0", "mtu": 9000}}'
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {{name: llm, namespace: training}}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 12
      template:
        metadata:
          annotations: {{k8s.v1.cni.cncf.io/networks: "training/rail0"}}
        spec:
          containers:
            - name: pytorch
              env:
                - {{name: NCCL_IB_TC, value: "{TRAFFIC_CLASS}"}}
                - {{name: NCCL_IB_GID_INDEX, value: "3"}}
              resources:
                limits: {{rdma/rail: 1, nvidia.com/gpu: 8}}
"""
