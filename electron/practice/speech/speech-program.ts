import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { err, ok, type Result } from '../../../shared/result/result.ts';

/** Sound of one channel, samples in -1..1. */
export interface Spoken {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

export interface Utterance {
  readonly text: string;
  /** As the program calls it. */
  readonly voice: string;
  /** 1 is how people usually speak. */
  readonly speed: number;
  /** 0 to 99; 50 is the voice's own. */
  readonly pitch?: number;
}

const usualWordsPerMinute = 165;
const longestMs = 120_000;
/** Windows can't start a program without it; nothing else of our environment is passed. */
const systemRoot = process.env['SystemRoot'];
const neededEnv = systemRoot === undefined ? {} : { SystemRoot: systemRoot };

/**
 * An installed espeak-ng. It is under the GPL, so it is never part of this program: it is a separate program, started
 * for each text. Null: it is not installed.
 */
export async function findSpeechProgram(searchPath: string): Promise<string | null> {
  const names = process.platform === 'win32' ? ['espeak-ng.exe'] : ['espeak-ng'];
  for (const folder of searchPath.split(delimiter).filter((part) => part !== '')) {
    for (const name of names) {
      const path = join(folder, name);
      const isThere = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return path;
    }
  }
  return null;
}

/** The program writes while it speaks, so its header can't contain the length. */
function readStreamedWav(wav: Buffer): Spoken | null {
  if (wav.length < 44 || wav.toString('latin1', 0, 4) !== 'RIFF' || wav.readUInt16LE(34) !== 16) return null;
  const samples = new Float32Array(Math.floor((wav.length - 44) / 2));
  for (let at = 0; at < samples.length; at += 1) samples[at] = wav.readInt16LE(44 + at * 2) / 32_768;
  return { samples, sampleRate: wav.readUInt32LE(24) };
}

/** Speaks a text, which goes in through the pipe so that no process list shows it. The failure gives the reason. */
export function speak(program: string, { text, voice, speed, pitch = 50 }: Utterance): Promise<Result<Spoken, string>> {
  return new Promise((resolve) => {
    const pace = String(Math.round(usualWordsPerMinute * speed));
    const args = ['-v', voice, '-s', pace, '-p', String(pitch), '-b', '1', '--stdin', '--stdout'];
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], env: neededEnv, timeout: longestMs });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => resolve(err(error.message)));
    child.once('close', (code) => {
      const spoken = code === 0 ? readStreamedWav(Buffer.concat(chunks)) : null;
      resolve(spoken === null ? err(`espeak-ng ended with ${code ?? 'a signal'}`) : ok(spoken));
    });
    child.stdin.end(text);
  });
}
