import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  defaultSettings,
  settingsVersion,
  type StoredSettings,
} from '../../electron/services/settings/stored-settings.ts';
import { tools, type ToolName } from '../../electron/mcp/tools.ts';
import { cliEntry, compileCache } from '../support/cli-run.ts';
import { toneWav } from '../support/wav-files.ts';

const terminal = [process.execPath, '--disable-warning=ExperimentalWarning', cliEntry] as const;

/** The environment of a tool server. */
export interface ToolServerPlace {
  readonly dataDir: string;
  readonly url: string;
  readonly key: string;
  /** The program and what stands before `mcp`; the terminal's own unless given. */
  readonly program?: readonly [string, ...string[]];
  readonly options?: readonly string[];
  /** A folder with a model for recognition on this computer. */
  readonly model?: string;
}

/** The result of a tool: its JSON, or its failure. */
export interface ToolReply {
  readonly isError: boolean;
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Settings as the app would have written them. */
export function writeSettings(dataDir: string, change: Partial<StoredSettings>): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const settings = { ...defaultSettings, mode: 'service', ...change, version: settingsVersion };
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
}

/** The real tool server in a process of its own, connected to a client of the official SDK. */
export async function startToolServer({ dataDir, url, key, program = terminal, options = [], model }: ToolServerPlace) {
  const [command, ...args] = program;
  const transport = new StdioClientTransport({
    command,
    args: [...args, 'mcp', ...options],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: dataDir,
      ...compileCache,
      LANG: 'en_US.UTF-8',
      OVOZ_DATA_DIR: dataDir,
      OVOZ_SERVICE_URL: url,
      OVOZ_API_KEY: key,
      ...(model !== undefined && { OVOZ_LOCAL_MODEL: model }),
    },
    stderr: 'pipe',
  });
  let printed = '';
  transport.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  const client = new Client({ name: 'a test', version: '1.0.0' });
  await client.connect(transport);
  let heard = '';
  return {
    client,
    pid: () => transport.pid,
    /** Everything that a program receives: answers and output. */
    everything: () => heard + printed,
    call: async (name: string, input: Readonly<Record<string, unknown>> = {}): Promise<ToolReply> => {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...input } });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      heard += text;
      const isJson = text.startsWith('{');
      return { isError, text, value: isJson ? (JSON.parse(text) as ToolReply['value']) : {} };
    },
    close: () => client.close(),
  };
}

export type ToolServerUnderTest = Awaited<ReturnType<typeof startToolServer>>;

const short = toneWav(300, 0.5).toString('base64');

/** Every tool with a valid input. */
export const anyInput: Readonly<Record<ToolName, Readonly<Record<string, unknown>>>> = {
  list_models: {},
  chat_completions: { model: 'm', messages: [{ role: 'user', content: 'Salom' }] },
  get_llm_request: { request_id: 'r1' },
  list_tts_languages: {},
  list_voices: { language: 'uz' },
  text_to_speech: { text: 'Salom', language: 'uz', voice_id: 'voice_1' },
  list_tts_generations: { limit: 5 },
  get_tts_generation: { generation_id: 'g1' },
  delete_tts_generation: { generation_id: 'g1' },
  speech_to_text: { audio_base64: short, language: 'uz' },
  get_transcription: { transcription_id: 't1' },
  list_transcriptions: { limit: 5 },
  update_transcription: { transcription_id: 't1', title: 'Dars' },
  delete_transcription: { transcription_id: 't1' },
  export_transcription: { transcription_id: 't1', format: 'srt' },
  isolate_voice: { audio_base64: short },
  get_isolation: { isolation_id: 'i1' },
  list_isolations: { limit: 5 },
  create_isolation_export: { isolation_id: 'i1', format: 'flac' },
  get_isolation_export: { isolation_id: 'i1', format: 'flac' },
  hide_isolation: { isolation_id: 'i1' },
  create_realtime_ticket: { service: 'stt' },
};
export const toolNames = Object.keys(tools) as ToolName[];

/** Works with a tool server, stops it, and makes sure that its output did not contain the key. */
export async function withToolServer<T>(
  place: ToolServerPlace,
  work: (server: ToolServerUnderTest) => Promise<T>,
): Promise<T> {
  const server = await startToolServer(place);
  try {
    const result = await work(server);
    if (server.everything().includes(place.key)) throw new Error('the key came out of the tool server');
    return result;
  } finally {
    await server.close();
  }
}
