import { isVideoFormat, type CutFormat } from '../../../shared/domain/exports/formats.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, type Result } from '../../../shared/result/result.ts';
import type { TranscriptFacts } from '../library/store.ts';
import {
  ownRecording,
  recordingOf,
  videoAt,
  type AudioExtractor,
  type RecordingStore,
  type VideoSource,
} from '../media/audio-extractor.ts';
import type { AudioCutter, CutWatch, WrittenDocument } from './write-request.ts';

interface Ports {
  readonly store: RecordingStore;
  readonly extractor: Pick<AudioExtractor, 'pathOf' | 'look' | 'cutVideo'>;
  readonly cutAudio: AudioCutter;
}

type Facts = Pick<TranscriptFacts, 'id' | 'title' | 'mediaPath'>;

/** The video whose audio a text has. file-unreadable; not-a-recording `no_pictures`. */
export async function findVideo(
  { store, extractor }: Pick<Ports, 'store'> & { readonly extractor: Pick<AudioExtractor, 'look'> },
  facts: Facts,
): Promise<Result<VideoSource>> {
  const path = ownRecording(store, facts);
  if (!path.ok) return path;
  const params = { name: facts.title };
  return path.value === null
    ? err(localFailure('file-unreadable', { code: 'no_recording', params }))
    : videoAt(extractor, path.value);
}

/** Completely or not at all; `cancelled` after an abort. */
export async function cutRecording(
  ports: Ports,
  facts: Facts,
  format: CutFormat,
  document: WrittenDocument,
  to: string,
  { signal, onShare }: CutWatch,
): Promise<Result<{ readonly sizeBytes: number }>> {
  const audio = recordingOf(ports.extractor, facts);
  if (!audio.ok) return audio;
  if (isVideoFormat(format)) {
    const video = await findVideo(ports, facts);
    if (!video.ok) return video;
    if (document.kind !== 'video') return err(localFailure('export-unfinished'));
    const cut = { ...document, video: video.value, audio: audio.value, container: format };
    return ports.extractor.cutVideo(cut, to, signal, onShare);
  }
  if (document.kind !== 'audio') return err(localFailure('export-unfinished'));
  const { spans, durationMs, encoding } = document;
  return ports.cutAudio({ from: audio.value, to, format, spans, durationMs, ...encoding }, { signal, onShare });
}
