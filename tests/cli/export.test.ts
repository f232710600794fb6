import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { standardProfile } from '../../shared/domain/subtitles/profiles.ts';
import { writeProfile } from '../../shared/domain/subtitles/profile-file.ts';
import { picturePackets } from '../support/make-video.ts';
import { jsonLines, runCli } from '../support/cli-run.ts';
import { eachWithAService, place, posts, record, run, server } from './transcribe-rig.ts';

eachWithAService();

/** Without address and key: exports need neither. */
async function exportIt(...args: readonly string[]) {
  const { code, out } = await runCli(['export', ...args, '--json'], { dataDir: place.dataDir });
  return { code, lines: jsonLines<Record<string, unknown>>(out) };
}

async function twoTranscripts(): Promise<string[]> {
  const { out } = await run([record('Birinchi suhbat.wav'), record('Ikkinchi.wav', 500)]);
  return jsonLines(out)
    .toSorted((a, b) => String(a.file).localeCompare(String(b.file)))
    .flatMap(({ transcriptId }) => transcriptId ?? []);
}

test('transcripts are exported by id and by title in several formats, without asking the service anything', async () => {
  const [first = ''] = await twoTranscripts();
  const before = server.seen.length;
  const out = join(place.out, 'files');
  const { code, lines } = await exportIt(first, 'ikkinchi', '--format', 'srt,docx,json,edl,csv,flac', '--out', out);
  expect(code).toBe(0);
  expect(lines).toMatchObject([
    { transcriptId: first, error: null },
    { title: 'Ikkinchi', error: null },
    { summary: { done: 2, failed: 0 } },
  ]);
  expect(readdirSync(out).toSorted()).toEqual(
    ['csv', 'docx', 'edl', 'flac', 'json', 'srt']
      .flatMap((end) => [`Birinchi suhbat.${end}`, `Ikkinchi.${end}`])
      .toSorted(),
  );
  expect(readFileSync(join(out, 'Ikkinchi.srt'), 'utf8')).toContain('Salom dunyo.');
  expect(readFileSync(join(out, 'Ikkinchi.flac')).toString('latin1', 0, 4)).toBe('fLaC');
  // Exporting again adds numbers to the names; --force replaces the files.
  await exportIt(first, '--format', 'srt', '--out', out);
  expect(readdirSync(out)).toContain('Birinchi suhbat (2).srt');
  const count = readdirSync(out).length;
  await exportIt(first, '--format', 'srt', '--out', out, '--force');
  expect(readdirSync(out)).toHaveLength(count);
  expect(server.seen).toHaveLength(before);
  expect(posts()).toHaveLength(2);
}, 60_000);

test('the cut of a video is exported as a video, and of audio it is not', async () => {
  const video = join(place.recordings, 'Hovli.mp4');
  const sound = record('Salom.wav', 2000);
  const pictures = ['-f', 'lavfi', '-i', 'testsrc=duration=2:size=64x64:rate=25', '-i', sound];
  execFileSync('ffmpeg', ['-v', 'error', ...pictures, '-c:v', 'libx264', '-c:a', 'aac', video]);
  await run([video, sound]);
  const out = join(place.out, 'videos');
  const { lines } = await exportIt('--all', '--format', 'mp4', '--out', out);
  expect(lines.at(-1)).toMatchObject({ summary: { done: 1, failed: 1 } });
  expect(lines.find(({ title }) => title === 'Salom')).toMatchObject({ error: { code: 'no_pictures' } });
  expect(readdirSync(out)).toEqual(['Hovli.mp4']);
  expect(await picturePackets(join(out, 'Hovli.mp4'))).toEqual(await picturePackets(video));
}, 60_000);

test('an emptied library file is reported, nothing is written over what was exported, and the file is left as it is', async () => {
  const [first = ''] = await twoTranscripts();
  const out = join(place.out, 'files');
  const options = ['--format', 'srt', '--out', out, '--force'];
  await exportIt(first, ...options);
  const [name = ''] = readdirSync(out);
  const library = join(place.dataDir, 'library.db');
  truncateSync(library);
  writeFileSync(join(out, name), 'as it was');
  const { code, lines } = await exportIt('--all', ...options);
  expect([code, lines]).toMatchObject([1, [{ error: { code: 'library_unread' } }]]);
  expect(readdirSync(out)).toEqual([name]);
  expect(readFileSync(join(out, name), 'utf8')).toBe('as it was');
  expect(statSync(library).size).toBe(0);
}, 60_000);

test('an unknown name is reported and the others are exported; options, a profile, folders and an archive; nothing to export is no failure', async () => {
  expect((await exportIt('--all', '--out', place.out)).lines.at(-1)).toMatchObject({ summary: { done: 0, failed: 0 } });
  await twoTranscripts();
  const folders = join(place.out, 'folders');
  const profile = join(place.recordings, 'tor.json');
  writeFileSync(profile, writeProfile({ name: 'Tor', profile: { ...standardProfile('uz'), charactersPerLine: 12 } }));
  const options = ['--profile', profile, '--options', 'offsetMs=3600000,lineEnds=crlf', '--layout', 'folders'];
  const told = await exportIt('Ikkinchi', 'Yoʻq', '--format', 'srt', '--out', folders, ...options);
  expect(told.code).toBe(1);
  expect(told.lines.find((line) => line['title'] === 'Yoʻq')).toMatchObject({
    transcriptId: null,
    outputs: [],
    error: { code: 'unknown_transcript' },
  });
  const written = readFileSync(join(folders, 'Ikkinchi', 'Ikkinchi.srt'), 'utf8');
  expect(written).toContain('\r\n01:00:0');
  for (const line of written.split('\r\n').filter((text) => /[a-z]/u.test(text)))
    expect(line.length).toBeLessThanOrEqual(13);
  const zipped = await exportIt('--all', '--format', 'txt,vtt', '--out', join(place.out, 'zip'), '--layout', 'zip');
  expect(zipped.code).toBe(0);
  const [archive = ''] = readdirSync(join(place.out, 'zip'));
  expect(Object.keys(unzipSync(readFileSync(join(place.out, 'zip', archive)))).toSorted()).toEqual([
    'Birinchi suhbat/Birinchi suhbat.txt',
    'Birinchi suhbat/Birinchi suhbat.vtt',
    'Ikkinchi/Ikkinchi.txt',
    'Ikkinchi/Ikkinchi.vtt',
  ]);
  expect((await exportIt('Ikkinchi', '--out', join(place.out, 'none'), '--options', 'lineEnds=cr')).code).toBe(2);
  expect(readdirSync(place.out)).not.toContain('none');
}, 60_000);
