/**
 * The part of the Model Context Protocol that a server of tools needs: JSON-RPC 2.0, one message on each line. A client
 * of a revision without a handshake asks `server/discover` first, is told that there is none, and begins with
 * `initialize`.
 */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** The newest first. Their tools are the same. */
const revisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** A JSON schema. */
  readonly inputSchema: object;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean };
  /** Throws an `Error` whose message tells the caller what to do instead. */
  run(input: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface ToolServer {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

interface Message {
  readonly id?: string | number | null;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Answers until the input ends, each message in its turn. */
export async function serveTools(server: ToolServer, input: Readable, output: Writable): Promise<void> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const answer = await answerTo(server, line);
    if (answer) output.write(`${JSON.stringify({ jsonrpc: '2.0', ...answer })}\n`);
  }
}

type Answer = { readonly id: string | number | null } & ({ readonly result: object } | { readonly error: object });

/** Undefined for a notification, which gets no answer. */
async function answerTo(server: ToolServer, line: string): Promise<Answer | undefined> {
  const message = parsed(line);
  if (!message) return { id: null, error: { code: -32700, message: 'Not a JSON object.' } };
  const { id, method, params = {} } = message;
  if (id === undefined || id === null) return undefined;
  if (method === 'initialize') return { id, result: welcome(server, params.protocolVersion) };
  if (method === 'ping') return { id, result: {} };
  if (method === 'tools/list') return { id, result: { tools: server.tools.map(described) } };
  if (method !== 'tools/call') return { id, error: { code: -32601, message: 'There is no such method.' } };
  const tool = server.tools.find(({ name }) => name === params.name);
  if (!tool) return { id, error: { code: -32602, message: 'There is no such tool.' } };
  return { id, result: await called(tool, params.arguments) };
}

function parsed(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function welcome({ version, instructions }: ToolServer, asked: unknown): object {
  const protocolVersion = revisions.find((revision) => revision === asked) ?? revisions[0];
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'remesa', version }, instructions };
}

function described({ run: _, ...tool }: Tool): object {
  return tool;
}

/** A call that fails is a result too, so that the caller can correct itself. */
async function called(tool: Tool, input: unknown): Promise<object> {
  const fields = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  try {
    return { content: [{ type: 'text', text: await tool.run(fields) }], isError: false };
  } catch (error) {
    return { content: [{ type: 'text', text: error instanceof Error ? error.message : String(error) }], isError: true };
  }
}
