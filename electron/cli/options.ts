import { parseArgs } from 'node:util';
import { exporters, type ExporterId } from '../../shared/domain/exports/exporters.ts';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';

/** What a person asked for. */
export interface TranscribeCommand {
  readonly kind: 'transcribe';
  readonly paths: readonly string[];
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  readonly formats: readonly ExporterId[];
  /** Null: beside each recording. */
  readonly outDir: string | null;
  readonly concurrency: number;
  readonly waitMs: number;
  /** Sends again what may be charged again: jobs that the service lost, failed or knows under another key. */
  readonly sendsAgain: boolean;
  readonly isPractice: boolean;
  readonly isJson: boolean;
}

export type Command =
  | TranscribeCommand
  | { readonly kind: 'help' }
  /** `problem`: a key under `cli.problem`. */
  | { readonly kind: 'wrong'; readonly problem: string; readonly word: string };

const wrong = (problem: string, word = ''): Command => ({ kind: 'wrong', problem, word });
const isFormat = (word: string): word is ExporterId => Object.hasOwn(exporters, word);

/** Reads the arguments after the script's name. Never throws. */
export function readCommand(args: readonly string[]): Command {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      strict: true,
      options: {
        language: { type: 'string' },
        speakers: { type: 'boolean', default: false },
        format: { type: 'string', default: 'txt', multiple: false },
        out: { type: 'string' },
        concurrency: { type: 'string', default: '2' },
        wait: { type: 'string', default: '60' },
        'send-again': { type: 'boolean', default: false },
        practice: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    const named = error instanceof Error ? /'(-[^']*)'/.exec(error.message)?.[1] : undefined;
    return wrong('unknownOption', named ?? args.find((arg) => arg.startsWith('-')) ?? '');
  }
  const { values, positionals } = parsed;
  if (values.help) return { kind: 'help' };
  const [command, ...paths] = positionals;
  if (command === undefined) return wrong('noCommand');
  if (command === 'help') return { kind: 'help' };
  if (command !== 'transcribe') return wrong('unknownCommand', command);
  if (paths.length === 0) return wrong('noPaths');
  if (values.language === undefined) return wrong('noLanguage');
  const language = speechLanguages.find((known) => known === values.language);
  if (language === undefined) return wrong('badLanguage', values.language);
  const formats: ExporterId[] = [];
  for (const word of values.format.split(',').map((part) => part.trim().toLowerCase())) {
    if (!isFormat(word)) return wrong('badFormat', word);
    if (!formats.includes(word)) formats.push(word);
  }
  if (!/^[1-8]$/.test(values.concurrency)) return wrong('badConcurrency', values.concurrency);
  if (!/^\d{1,6}$/.test(values.wait)) return wrong('badWait', values.wait);
  return {
    kind: 'transcribe',
    paths,
    language,
    includeSpeakers: values.speakers,
    formats,
    outDir: values.out ?? null,
    concurrency: Number(values.concurrency),
    waitMs: Number(values.wait) * 1000,
    sendsAgain: values['send-again'],
    isPractice: values.practice,
    isJson: values.json,
  };
}
