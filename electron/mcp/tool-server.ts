import type { Readable, Writable } from 'node:stream';
import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import type { Failure } from '../../shared/result/failure.ts';
import { tools, type ObjectSchema, type ToolName } from '../../shared/wire/tools.ts';
import { contractTools } from './contract-tools.ts';
import { libraryTools, type LibraryPorts } from './library-tools.ts';
import { limitLines } from './line-limit.ts';
import { largestMessage, tooLarge, type ServicePorts, type ToolAnswer, type ToolCall } from './tool.ts';

export interface ToolServerOptions {
  readonly version: string;
  /** What needs a key of the service is left out. */
  readonly isWithoutKey: boolean;
  readonly ports: ServicePorts & LibraryPorts;
  /** A failure in plain words, in the language of the terminal. */
  readonly explain: (failure: Failure) => string;
  /** The name that the client gave for itself, if any. */
  readonly onClient: (name: string) => void;
  readonly input: Readable;
  readonly output: Writable;
}

type Annotations = {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly openWorldHint: boolean;
};

const deleting: ReadonlySet<string> = new Set(['delete_tts_generation', 'delete_transcription', 'hide_isolation']);
const writing: ReadonlySet<string> = new Set([
  'chat_completions',
  'text_to_speech',
  'speech_to_text',
  'update_transcription',
  'isolate_voice',
  'create_isolation_export',
  'create_realtime_ticket',
  'library_queue_files',
]);
const answeredWithKey: ReadonlySet<string> = new Set(['list_models', 'chat_completions', 'get_llm_request']);
const annotate = (name: string): Annotations => ({
  readOnlyHint: !deleting.has(name) && !writing.has(name),
  destructiveHint: deleting.has(name),
  openWorldHint: !name.startsWith('library_') || name === 'library_queue_files',
});

/**
 * The tool server over a pair of streams (contract 4.13): the 22 tools of the contract and those for the library.
 * `output` carries protocol messages only. Resolves when the client has gone.
 */
export async function serveTools(options: ToolServerOptions): Promise<void> {
  const { version, isWithoutKey, ports, explain, onClient, input, output } = options;

  const failed = (failure: Failure, facts: object): CallToolResult => {
    const { code, outcome, requestId, llmRequestId } = failure;
    const error = { message: explain(failure), code, outcome, request_id: requestId ?? llmRequestId ?? null, ...facts };
    return { content: [{ type: 'text', text: JSON.stringify(error) }], isError: true };
  };
  const toResult = (answer: ToolAnswer): CallToolResult => {
    if (!answer.ok) return failed(answer.error.failure, answer.error.facts);
    const text = JSON.stringify(answer.value);
    return Buffer.byteLength(text) > largestMessage ? failed(tooLarge(), {}) : { content: [{ type: 'text', text }] };
  };

  const createServer = (): McpServer => {
    const server = new McpServer({ name: 'ovoz-studio', version }, { capabilities: { tools: {} } });
    const add = (
      name: string,
      description: string,
      schema: ObjectSchema,
      run: (call: ToolCall) => Promise<ToolAnswer> | ToolAnswer,
    ) => {
      // The contract's JSON Schema, enforced by zod like everything else here.
      const inputSchema = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
      server.registerTool(name, { description, inputSchema, annotations: annotate(name) }, async (given, context) => {
        const client = server.server.getClientVersion()?.name;
        if (client !== undefined) onClient(client);
        return toResult(await run({ input: given as ToolCall['input'], signal: context.mcpReq.signal }));
      });
    };
    for (const [name, { description, input: schema }] of Object.entries(tools))
      if (!isWithoutKey || !answeredWithKey.has(name))
        add(name, description, schema, (call) => contractTools[name as ToolName](call, ports));
    for (const [name, { description, input: schema, run }] of Object.entries(libraryTools))
      add(name, description, schema, (call) => run(call, ports));
    return server;
  };

  const lines = limitLines((number) => {
    if (number === null) return;
    const error = { code: -32_600, message: explain(tooLarge()) };
    output.write(`{"jsonrpc":"2.0","id":${number},"error":${JSON.stringify(error)}}\n`);
  });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const transport = new StdioServerTransport(input.pipe(lines), output, { maxBufferSize: 2 * largestMessage });
  const handle = serveStdio(createServer, { transport });
  lines.once('end', () => resolve());
  lines.once('close', () => resolve());
  output.once('error', () => resolve());
  output.once('close', () => resolve());
  await ended;
  await handle.close();
}
