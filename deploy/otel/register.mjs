// Sends the traces of Remesa to a collector. Load it before the service:
//   NODE_OPTIONS="--import /opt/remesa/deploy/otel/register.mjs"
// It reads the settings of OpenTelemetry: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME, …
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const name = process.env.OTEL_SERVICE_NAME ?? 'remesa';
const processor = new BatchSpanProcessor(new OTLPTraceExporter());
new NodeTracerProvider({
  resource: resourceFromAttributes({ 'service.name': name }).merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [processor],
}).register();
// The service shuts the provider down before it ends, so that what waits is sent. A command ends by itself.
process.once('beforeExit', () => processor.shutdown());
