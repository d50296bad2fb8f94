{{/*
The objects of a file that config/ has too, in the namespace of the release. Given are the root, the file, and
annotations and labels for each object, which may be left out.
*/}}
{{- define "takt.file" -}}
{{- $root := .root -}}
{{- $annotations := .annotations | default dict -}}
{{- $labels := .labels | default dict -}}
{{- $text := .root.Files.Get (printf "files/%s" .file) | required (printf "the chart lacks files/%s: make generate" .file) -}}
{{- range splitList "\n---\n" ($text | replace "namespace: takt-system" (printf "namespace: %s" $root.Release.Namespace)) }}
{{- $object := fromYaml . }}
{{- if $annotations }}
{{- $_ := set $object.metadata "annotations" (mergeOverwrite ($object.metadata.annotations | default dict) $annotations) }}
{{- end }}
{{- if $labels }}
{{- $_ := set $object.metadata "labels" (mergeOverwrite ($object.metadata.labels | default dict) $labels) }}
{{- end }}
{{- if has $object.kind (list "ClusterRole" "ClusterRoleBinding" "CustomResourceDefinition" "PriorityClass" "MutatingAdmissionPolicy" "MutatingAdmissionPolicyBinding") }}
{{- else if not $object.metadata.namespace }}
{{- $_ := set $object.metadata "namespace" $root.Release.Namespace }}
{{- end }}
---
{{ toYaml $object }}
{{ end }}
{{- end }}

{{/* Refuses a cluster that is too old for something, which would fail in it later. */}}
{{- define "takt.needs" -}}
{{- $has := .root.Capabilities.KubeVersion.Version -}}
{{- if not (semverCompare (printf ">=%s.0-0" .version) $has) }}
{{- fail (printf "%s takes Kubernetes %s or later, and this is %s" .what .version $has) }}
{{- end }}
{{- end }}

{{/*
Refuses values of which each makes sense, and all together do not: the operator would not start, or nobody would be asked
for metrics as they are served.
*/}}
{{- define "takt.agree" -}}
{{- $settings := fromYaml (include "takt.settings" .) -}}
{{- $metrics := $settings.metrics -}}
{{- if and .Values.monitoring.serviceMonitors (regexMatch "^(localhost|127\\.|\\[::1])" $metrics.bindAddress) }}
{{- fail "monitoring.serviceMonitors asks for metrics from other pods, whom settings.metrics.bindAddress answers nothing: leave out one of them" }}
{{- end }}
{{- if not $metrics.secure }}
{{- if .Values.monitoring.serviceMonitors }}
{{- fail "monitoring.serviceMonitors asks for metrics by HTTPS, which settings.metrics.secure switches off: leave out one of them" }}
{{- end }}
{{- if $metrics.certDir }}
{{- fail "metrics.certSecret is for HTTPS, which settings.metrics.secure switches off: leave out one of them" }}
{{- end }}
{{- if $settings.page.enabled }}
{{- fail "settings.page.enabled takes HTTPS, which settings.metrics.secure switches off: leave out one of them" }}
{{- end }}
{{- end }}
{{- if eq $metrics.bindAddress "0" }}
{{- if .Values.monitoring.serviceMonitors }}
{{- fail "monitoring.serviceMonitors asks for metrics, of which settings.metrics.bindAddress serves none: leave out one of them" }}
{{- end }}
{{- if $settings.page.enabled }}
{{- fail "settings.page.enabled serves the page beside the metrics, of which settings.metrics.bindAddress serves none: leave out one of them" }}
{{- end }}
{{- end }}
{{- end }}

{{/*
Labels or annotations that somebody gives besides those of the chart. A key that the chart sets itself would be there
twice, and what finds the pods by it would find none.
*/}}
{{- define "takt.besides" -}}
{{- $value := .value -}}
{{- $given := .given | default dict -}}
{{- range .taken }}
{{- if hasKey $given . }}
{{- fail (printf "%s may not have %s, which the chart sets itself: leave it out" $value .) }}
{{- end }}
{{- end }}
{{- with $given }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* The name, and how it is pulled: for a container. */}}
{{- define "takt.image" -}}
image: {{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
{{- end }}

{{/* Where the Secret with the certificate of the metrics is. */}}
{{- define "takt.certDir" -}}
/var/lib/takt/cert
{{- end }}

{{/*
The settings of the operator that differ from the defaults, as a file. It has no others: until an upgrade has come through,
an operator of the version before may have to read it, and refuses a key that it does not know.
*/}}
{{- define "takt.ownSettings" -}}
{{- $own := dict "apiVersion" "takt.dev/v1alpha1" "kind" "OperatorConfiguration" -}}
{{- $own = mergeOverwrite $own (deepCopy (.Values.settings | default dict)) -}}
{{- if .Values.metrics.certSecret -}}
{{- $own = mergeOverwrite $own (dict "metrics" (dict "certDir" (include "takt.certDir" .))) -}}
{{- end -}}
{{ toYaml $own }}
{{- end }}

{{/* All settings of the operator, with the defaults of those that are not given. */}}
{{- define "takt.settings" -}}
{{ toYaml (mergeOverwrite (fromYaml (.Files.Get "files/manager/takt.yaml")) (fromYaml (include "takt.ownSettings" .))) }}
{{- end }}

{{/* What confines a pod to the restricted profile. */}}
{{- define "takt.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "takt.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Where pods may run, and by which Secrets their image is pulled. Given are the root, and the values of a program. */}}
{{- define "takt.placing" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
- name: {{ . }}
{{- end }}
{{- end }}
{{- with .program.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .program.tolerations }}
tolerations: {{- toYaml . | nindent 0 }}
{{- end }}
{{- with .program.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
