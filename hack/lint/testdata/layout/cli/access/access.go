package access

import _ "k8s.io/client-go"
