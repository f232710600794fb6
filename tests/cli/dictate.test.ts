import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readLedger } from '../../electron/practice/state.ts';
import { practice } from '../contract/live-rig.ts';
import { jsonLines, runCli } from '../support/cli-run.ts';
import { onUtterance, readyMessage, startScriptedStream } from '../support/scripted-stream.ts';
import { folderOfFile } from '../support/test-folders.ts';

vi.setConfig({ testTimeout: 120_000 });
const root = folderOfFile();
const sample = fileURLToPath(new URL('../../assets/samples/interview-uz', import.meta.url));

interface Line {
  readonly utterance?: number;
  readonly startMs?: number;
  readonly endMs?: number;
  readonly text?: string;
  readonly summary?: { readonly utterances: number; readonly waiting: number; readonly discarded: number };
  readonly error?: { readonly code: string };
}
const dictate = (input: string, url: string, key: string, more: readonly string[] = ['--json']) =>
  runCli(['dictate', '--input', input, '--language', 'uz', ...more], {
    url,
    key,
    dataDir: mkdtempSync(join(root, 'data-')),
  });

/** A bundled sample as a WAV in another encoding. */
function sampleWav(name: string, ...how: readonly string[]): string {
  const path = join(root, name);
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', `${sample}.mp3`, ...how, '-bitexact', path]);
  return path;
}
const pcmOf = (path: string): Buffer => {
  const wav = readFileSync(path);
  return wav.subarray(wav.indexOf('data') + 8);
};

test('a bundled sample is dictated with its words, phrase by phrase, and sent sample for sample', async () => {
  const server = await practice();
  const wav = sampleWav('live.wav', '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le');
  const { code, out, error } = await dictate(wav, server.url, server.token);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  const lines = jsonLines<Line>(out);
  const phrases = lines.filter(({ utterance }) => utterance !== undefined);
  expect(lines.at(-1)).toEqual({ summary: { utterances: phrases.length, waiting: 0, discarded: 0 } });
  expect(phrases.map(({ utterance }) => utterance)).toEqual(phrases.map((_phrase, at) => at + 1));
  const { segments } = JSON.parse(readFileSync(`${sample}.json`, 'utf8')) as { segments: readonly { text: string }[] };
  expect(phrases.map(({ text }) => text).join(' ')).toBe(segments.map(({ text }) => text).join(' '));
  for (const [at, phrase] of phrases.entries()) {
    expect(phrase.startMs).toBeGreaterThanOrEqual(phrases[at - 1]?.endMs ?? 0);
    expect(phrase.endMs).toBeGreaterThan(phrase.startMs ?? 0);
  }
  const sent = readLedger(server.stateDir).reduce((sum, { fields }) => sum + Number(fields['samples']), 0);
  expect(sent).toBe(pcmOf(wav).length / 2);
  const shown = await dictate(
    sampleWav('studio.wav', '-ac', '2', '-ar', '44100', '-t', '9'),
    server.url,
    server.token,
    [],
  );
  expect(shown.out).toContain('Assalomu alaykum, usta!');
  expect(shown.out).not.toContain('{');
});

test('a service that is away is waited for, as is said, and then the command ends with 75', async () => {
  const server = await startScriptedStream(() => undefined);
  await server.close();
  const wav = sampleWav('away.wav', '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', '-t', '5');
  const { code, out, error } = await dictate(wav, server.url, 'sk_test_CANARY_0123456789abcdef', ['--wait', '3']);
  expect({ code, out }).toEqual({ code: 75, out: '' });
  expect(error).toContain(
    'Waiting. The service is not reachable. The run ends after 3 s without progress (--wait).\nThe service is not reachable.',
  );
  expect(error).toContain('1 phrase has no text.');
});

test('a connection that breaks again and again loses no sample, and every text appears once and in order', async () => {
  // The next phrase is sent while a lost one is repeated, so the service may receive them in another order.
  const sounds = new Map<string, Buffer>();
  const server = await startScriptedStream(async ({ accept, number }) => {
    const socket = await accept();
    socket.send(readyMessage);
    onUtterance(socket, (whole) => {
      if (number % 2 === 1) return socket.terminate();
      const name = createHash('sha256').update(whole).digest('hex').slice(0, 12);
      expect(sounds.has(name), 'a phrase was sent again after its text came').toBe(false);
      sounds.set(name, whole);
      socket.send(JSON.stringify({ event: 'final', text: name, duration_ms: whole.length / 32 }));
      socket.terminate();
    });
  });
  onTestFinished(() => server.close());
  const wav = sampleWav('breaks.wav', '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le');
  const { code, out } = await dictate(wav, server.url, 'sk_test_CANARY_0123456789abcdef');
  expect(code).toBe(0);
  const texts = jsonLines<Line>(out)
    .map(({ text }) => String(text))
    .slice(0, -1);
  expect(texts.toSorted()).toEqual([...sounds.keys()].toSorted());
  const inOrder = texts.map((name) => sounds.get(name) ?? Buffer.alloc(0));
  expect(Buffer.concat(inOrder).equals(pcmOf(wav))).toBe(true);
  expect(inOrder.every(({ length }) => length >= 3200 && length <= 35 * 32_000)).toBe(true);
});

test('an empty account leaves phrases waiting, and what is no recording is rejected before anything is sent', async () => {
  const server = await practice([{ route: 'realtime-commit', fault: 'commit-error', code: 'insufficient_credits' }]);
  const wav = sampleWav('poor.wav', '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', '-t', '5');
  const stopped = await dictate(wav, server.url, server.token);
  expect(stopped.code).toBe(1);
  expect(jsonLines<Line>(stopped.out).at(-1)?.summary?.waiting).toBeGreaterThan(0);
  const text = join(root, 'text.wav');
  writeFileSync(text, 'This is no sound at all.');
  const refused = await dictate(text, server.url, server.token);
  expect(refused.code).toBe(1);
  expect(jsonLines<Line>(refused.out)[0]?.error?.code).toBe('not_convertible');
});
