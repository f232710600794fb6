import { expect, it } from 'vitest';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import { noRecording } from '../media/audio-extractor.ts';
import { writeRequest } from './write-request.ts';

const words = ['Salom', 'doʻstlar.'].map((text, at) => ({ text, startMs: at * 500, endMs: at * 500 + 500 }));
const stored = {
  id: 't1',
  jobId: 'j1',
  title: 'Suhbat',
  createdAtMs: 0,
  mediaSha256: '',
  remoteId: null,
  rawAnswerId: null,
  model: null,
  origin: null,
  revision: 0,
  sourceName: 'hour.srt',
  mediaPath: '/a/hour.mp3',
  transcript: {
    language: 'uz' as const,
    durationMs: 1000,
    speakers: [],
    segments: [{ id: 's1', speakerId: null, startMs: 0, endMs: 1000, text: 'Salom\ndoʻstlar.', words }],
  },
};
async function written(format: ExportFormat, changed: Partial<typeof stored> = {}): Promise<string> {
  const request = { transcriptId: 't1', format, options: {}, characters: null };
  const { document } = await writeRequest({ ...stored, ...changed }, request, () => '', null);
  return 'bytes' in document ? new TextDecoder().decode(document.bytes) : '';
}

it('an imported text names the recording that it has, and not the file of the text', async () => {
  expect(await written('edl')).toContain('* FROM CLIP NAME: hour.mp3\n');
  expect(await written('fcpxml')).toContain('name="hour.mp3" start="0s"');
  expect(await written('pdf')).toContain('0:01 · hour.mp3');
  for (const format of ['edl', 'fcpxml', 'otio', 'pdf', 'html'] as const)
    expect([format, await written(format)]).toEqual([format, expect.not.stringContaining('hour.srt')]);
  // Captions are still made as those of a file of captions are.
  expect(await written('srt')).toContain('Salom\ndoʻstlar.');
  const named = { sourceName: 'Hour.mp3', mediaPath: '/a/hour.mp3' };
  expect(await written('edl', named)).toContain('* FROM CLIP NAME: Hour.mp3\n');
  expect(await written('edl', { mediaPath: `${noRecording}t1` })).toContain('* FROM CLIP NAME: Suhbat\n');
});
