{{- define "drawbridge.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "drawbridge.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "drawbridge.selector" -}}
app.kubernetes.io/name: {{ include "drawbridge.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "drawbridge.labels" -}}
{{ include "drawbridge.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "drawbridge.image" -}}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}
{{- end }}

{{- /* "ca" when the pods have a CA, "tls" when they have a certificate: the folder below /etc/drawbridge. */}}
{{- define "drawbridge.mount" -}}
{{- if eq .Values.certificates.source "ownCA" }}ca{{ else }}tls{{ end }}
{{- end }}

{{- define "drawbridge.secretName" -}}
{{- default (printf "%s-%s" (include "drawbridge.fullname" .) (include "drawbridge.mount" .)) .Values.certificates.secretName }}
{{- end }}

{{- /* The Secret is the chart's own. */}}
{{- define "drawbridge.ownSecret" -}}
{{- $source := .Values.certificates.source }}
{{- if or (eq $source "values") (and (eq $source "ownCA") (not .Values.certificates.secretName)) }}yes{{ end }}
{{- end }}

{{- define "drawbridge.required" -}}
{{- $missing := printf "certificates.%s is needed with certificates.source=%s; `drawbridge certs` makes certificates: see the chart's values.yaml" .name .context.Values.certificates.source }}
{{- required $missing (get .context.Values.certificates .name) }}
{{- end }}

{{- /* What API servers trust, PEM. */}}
{{- define "drawbridge.caBundle" -}}
{{- $certificates := .Values.certificates }}
{{- if and (eq $certificates.source "ownCA") $certificates.certificate (not $certificates.caBundle) }}
{{- $certificates.certificate }}
{{- else }}
{{- include "drawbridge.required" (dict "name" "caBundle" "context" .) }}
{{- end }}
{{- end }}

{{- define "drawbridge.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "drawbridge.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}
