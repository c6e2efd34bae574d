{{- define "stanchion.labels" -}}
app.kubernetes.io/part-of: stanchion
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "stanchion.kafkaEnv" -}}
- {name: STANCHION_KAFKA_BOOTSTRAP, value: {{ .Values.kafka.bootstrap | quote }}}
- {name: STANCHION_KAFKA_TOPIC_PREFIX, value: {{ .Values.kafka.topicPrefix | quote }}}
- {name: STANCHION_KAFKA_PARTITIONS, value: {{ .Values.kafka.partitions | quote }}}
- {name: STANCHION_KAFKA_SECURITY_PROTOCOL, value: {{ .Values.kafka.securityProtocol | quote }}}
{{- with .Values.kafka.saslMechanism }}
- {name: STANCHION_KAFKA_SASL_MECHANISM, value: {{ . | quote }}}
{{- end }}
{{- with .Values.kafka.existingSecret }}
- name: STANCHION_KAFKA_SASL_USERNAME
  valueFrom: {secretKeyRef: {name: {{ . | quote }}, key: username}}
- name: STANCHION_KAFKA_SASL_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ . | quote }}, key: password}}
{{- end }}
{{- if .Values.kafka.caSecret }}
- {name: STANCHION_KAFKA_SSL_CAFILE, value: /etc/stanchion/kafka/ca.crt}
{{- end }}
{{- end }}

{{- define "stanchion.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "stanchion.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "stanchion.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
