/**
 * Answers requests that are not valid HTTP, which reach no route, with a problem document, and closes the connection.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ProblemContext, problemType, problemTypeOf } from './problem.js';

export const headerBytes = 16_384;

export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headersOfAnswer: Readonly<Record<string, string>> & { readonly 'x-request-id': string },
  { problems, baseUrl }: ProblemContext,
): void {
  const answering = (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
  // While an earlier answer is being sent, the client would take anything written now for a part of it.
  const mayAnswer = !answering || isMalformedBody(error, answering);
  if (error.code === 'ECONNRESET' || !socket.writable || !mayAnswer) {
    socket.destroy();
    return;
  }
  const { status, reason, code, detail } = clientFault(error.code);
  const title = problems[code]?.title ?? reason;
  const requestId = headersOfAnswer['x-request-id'];
  const type = problemTypeOf(code, baseUrl());
  const body = JSON.stringify({ type, title, status, detail, code, requestId });
  const headers = {
    ...headersOfAnswer,
    connection: 'close',
    'content-type': `${problemType}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
  };
  if (answering) {
    answering.writeHead(status, reason, headers).end(body);
    return;
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
}

/** True for a malformed body of the request that is to be answered next: its caller still waits for the answer. */
function isMalformedBody({ code }: NodeJS.ErrnoException, answering: ServerResponse): boolean {
  const isFaulty = code?.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE';
  return isFaulty === true && !answering.headersSent && !answering.req.complete;
}

interface ClientFault {
  readonly status: number;
  readonly reason: string;
  readonly code: string;
  readonly detail: string;
}

function clientFault(code: string | undefined): ClientFault {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const detail = `The header fields are larger than ${headerBytes} bytes.`;
    return { status: 431, reason: 'Request Header Fields Too Large', code: 'malformed_request', detail };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const detail = 'The request did not arrive in time.';
    return { status: 408, reason: 'Request Timeout', code: 'request_timeout', detail };
  }
  const detail = 'This is not an HTTP/1.1 request.';
  return { status: 400, reason: 'Bad Request', code: 'malformed_request', detail };
}
