/** Writes `assets/samples/sound-prints.json`, from which practice mode recognizes dictated samples. Needs ffmpeg. */
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';

const folder = new URL('../assets/samples/', import.meta.url);
const out = new URL('sound-prints.json', folder);
// The imported module reads the file that this script writes, so it must exist.
const { soundPrint } = await import('../electron/practice/samples.ts');

const prints: Record<string, string> = {};
for (const name of readdirSync(folder).toSorted()) {
  const [, stem] = /^(.+)\.(?:mp3|ogg|flac)$/.exec(name) ?? [];
  if (stem === undefined) continue;
  const decode = ['-v', 'error', '-i', new URL(name, folder).pathname, '-ac', '1', '-ar', '16000', '-f', 'f32le', '-'];
  const audio = execFileSync('ffmpeg', decode, { maxBuffer: 1 << 28 });
  const samples = new Float32Array(audio.buffer, audio.byteOffset, audio.byteLength / 4);
  prints[stem] = Buffer.from(soundPrint(samples).buffer).toString('base64');
}
writeFileSync(out, `${JSON.stringify(prints, null, 1)}\n`);
