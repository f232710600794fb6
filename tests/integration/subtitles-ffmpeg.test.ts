import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { toCues } from '../../shared/domain/exports/cues.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { toTranscript } from '../../shared/domain/transcript/from-received.ts';

const folder = mkdtempSync(join(tmpdir(), 'ovoz-subtitles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** A reader that is nobody's dependency: used where it is. */
const reader = 'ffprobe';
const hasFfprobe = spawnSync(reader, ['-version']).status === 0;
if (!hasFfprobe) console.warn('Skipped: ffprobe is not installed, so no second reader checks the subtitles.');

const texts = [
  'Salom, dunyo! Bugun ob-havo juda yaxshi, shuning uchun sayr qilamiz. Keyin choy ichamiz.',
  'Привет, мир! Сегодня прекрасная погода, поэтому мы идём гулять --> а потом пьём чай <b>вместе</b>.',
  'A & B said {\\an8} "<v Someone>" and left. 1\n\n2\nThen they came back, at last, tired but happy.',
];

describe('subtitles for another reader', () => {
  for (const format of ['srt', 'vtt'] as const) {
    it.skipIf(!hasFfprobe)(`ffmpeg finds the same ${format} cues at the same milliseconds`, () => {
      for (const speakers of [false, true]) {
        const segments = texts.map((text, index) => ({
          text,
          words: [],
          startMs: index * 9_000 + 120,
          endMs: index * 9_000 + 8_003,
          ...(speakers ? { speaker: `S${index % 2}` } : {}),
        }));
        const transcript = toTranscript({ text: texts.join(' '), segments }, { language: 'uz', durationMs: 30_000 });
        const path = join(folder, `${format}-${speakers}.${format}`);
        writeFileSync(
          path,
          exporters[format].write(transcript, { title: 'x', speakerName: (id) => `Soʻzlovchi ${id.slice(1)}` }),
        );
        const probe = spawnSync(reader, ['-v', 'error', '-show_packets', '-of', 'json', path], { encoding: 'utf8' });
        expect(probe.stderr).toBe('');
        const { packets } = JSON.parse(probe.stdout) as { packets: { pts_time: string; duration_time: string }[] };
        const found = packets.map(({ pts_time, duration_time }) => [
          Math.round(Number(pts_time) * 1000),
          Math.round(Number(duration_time) * 1000),
        ]);
        const isSrtNamed = format === 'srt' && speakers;
        const cues = toCues(transcript, isSrtNamed ? (id) => `Soʻzlovchi ${id.slice(1)}:` : undefined);
        expect(found).toEqual(cues.map(({ startMs, endMs }) => [startMs, endMs - startMs]));
      }
    });
  }
});
