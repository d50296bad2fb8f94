package plugin

import _ "k8s.io/kubernetes"
