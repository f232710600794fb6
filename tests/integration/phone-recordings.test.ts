import { mkdtempSync, rmSync, statSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ALL_FORMATS,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  FilePathSource,
  FilePathTarget,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { afterAll, expect, it } from 'vitest';
import { openExtractedAudio } from '../../electron/platform/node/audio/extracted-audio.ts';

const folder = mkdtempSync(join(tmpdir(), 'ovoz-phone-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fixture = fileURLToPath(new URL('../fixtures/audio/two-sentences.m4a', import.meta.url));

/** The audio of a fixture repeated, as a phone writes it: with its index at the end. */
async function recordByPhone(to: string, seconds: number): Promise<void> {
  const input = new Input({ source: new FilePathSource(fixture), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  const codec = await track?.getCodec();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track || !codec || !decoderConfig) throw new Error('the fixture has no sound');
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: new FilePathTarget(to) });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  let at = 0;
  while (at < seconds) {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(packet.clone({ timestamp: at }), { decoderConfig });
      at += packet.duration;
    }
  }
  await output.finalize();
  input.dispose();
  const bytes = readFileSync(to);
  bytes.write('M4A ', 8, 'latin1');
  writeFileSync(to, bytes);
}

it('the length of a long phone recording is known before it is sent', async () => {
  const path = join(folder, 'Diktofon 12.m4a');
  await recordByPhone(path, 600);
  const end = readFileSync(path).subarray(-32 * 1024);
  expect(end.includes('mvhd')).toBe(false);
  const extractor = openExtractedAudio(folder, new URL('../../electron/entries/audio-worker.ts', import.meta.url));
  const looked = await extractor.look(path);
  await extractor.close();
  expect(looked).toMatchObject({ ok: true, value: { plan: { kind: 'as-is' }, sizeBytes: statSync(path).size } });
  expect(looked.ok && looked.value.durationMs).toBeGreaterThan(599_000);
  expect(looked.ok && looked.value.durationMs).toBeLessThan(615_000);
});
