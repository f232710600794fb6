import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  type EncodedPacket,
  FilePathTarget,
  FlacOutputFormat,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WavOutputFormat,
  type OutputFormat,
  ADTS,
  FilePathSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import { writeFile } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';
import type { RecordingPart } from '../../../../shared/domain/jobs/job-state.ts';
import type { AudioExtension, ProbedMedia } from '../../../../shared/domain/media/audio-plan.ts';
import { isInRole, serveThread } from '../../../threads/work-thread.ts';
import { hasSubtitles } from '../../../audio/find-subtitles.ts';
import { containersThatFit, replaceAudio } from '../../../audio/copy-video.ts';
import { systemCode } from '../storage-failure.ts';
import { audioWorkerRole, type AudioOutcome, type AudioRequest } from './audio-cutter.ts';

/** The containers whose tracks are read; recognised by their bytes, not by names. */
const openMedia = (path: string): Input =>
  new Input({
    source: new FilePathSource(path, { maxCacheSize: 4 * 1024 * 1024 }),
    formats: [ADTS, MATROSKA, MP4, MPEG_TS, QTFF, WEBM],
  });

/** In addition the formats that the service accepts unchanged, because parts are cut out of those too. */
const openRecording = (path: string): Input =>
  new Input({
    source: new FilePathSource(path, { maxCacheSize: 4 * 1024 * 1024 }),
    formats: [ADTS, FLAC, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM],
  });

async function work(message: unknown, sign: (share?: number) => void): Promise<AudioOutcome> {
  try {
    const task = message as AudioRequest;
    if (task.kind === 'probe') return { kind: 'probed', media: await probeAudio(task.path) };
    if (task.kind === 'listen') {
      // Loaded on demand, because reading headers needs neither decoders nor the network.
      const { heardIn } = await import('./listen-to-audio.ts');
      return { kind: 'listened', heard: await heardIn(task.path, sign) };
    }
    if (task.kind === 'cut') {
      const end = Math.min(task.durationMs, task.spans.at(-1)?.endMs ?? 0);
      // Only cuts need the encoders and decoders, so they are loaded on demand.
      const { cutAudio } = await import('../../../audio/cut-audio.ts');
      const durationMs = await cutAudio(task, (decodedMs) => {
        sign(Math.min(1, decodedMs / Math.max(1, end)));
      });
      return { kind: 'cut', durationMs };
    }
    if (task.kind === 'join') {
      const { joinAudio } = await import('../../../audio/cut-audio.ts');
      const lengthMs = (task.parts.at(-1)?.endMs ?? 0) - (task.parts[0]?.startMs ?? 0);
      await joinAudio(task.parts, task.to, task.format, (writtenMs) => {
        sign(Math.min(1, writtenMs / Math.max(1, lengthMs)));
      });
      return { kind: 'joined' };
    }
    if (task.kind === 'video') {
      await replaceAudio(task, sign);
      return { kind: 'joined' };
    }
    if (task.kind === 'pieces') {
      const { readPieces } = await import('../../../audio/read-pieces.ts');
      return { kind: 'planned', ...(await readPieces(task, sign)) };
    }
    if (task.kind === 'speech') {
      const { joinSpeech, speechByChapter, speechByPart, writeFiles } = await import('./join-speech.ts');
      let quietestLufs: number | null = null;
      const options = {
        ...task,
        onQuiet: (lufs: number) => {
          quietestLufs = Math.min(quietestLufs ?? lufs, lufs);
        },
      };
      const signs = setInterval(() => sign(), 1000);
      try {
        const one = task.as === 'one' ? await joinSpeech(task.parts, options) : null;
        if (one !== null) await writeFile(task.to, one.file);
        else {
          const files = await (task.as === 'chapters' ? speechByChapter : speechByPart)(task.parts, options);
          await writeFiles(task.to, files, task.as === 'files' ? 'folder' : 'zip');
        }
        return { kind: 'spoken', subtitles: one?.subtitles ?? '', quietestLufs };
      } finally {
        clearInterval(signs);
      }
    }
    await copyAudio(task.from, task.to, task.extension, sign, task.part);
    return { kind: 'copied' };
  } catch (error) {
    const system = systemCode(error);
    // Decoders have codes of their own.
    return { kind: 'failed', system: /^E[A-Z]+$/u.test(system) ? system : null };
  }
}

/** The same recording must give the same bytes, because its idempotency key is bound to them. */
function stopClockAndChance(): void {
  Date.now = () => 0;
  Math.random = () => 0.5;
}

if (!isMainThread && isInRole(audioWorkerRole.role)) {
  serveThread(work);
  stopClockAndChance();
}

function formatFor(extension: AudioExtension): OutputFormat {
  switch (extension) {
    case 'm4a':
      return new Mp4OutputFormat({ fastStart: false });
    case 'ogg':
      return new OggOutputFormat();
    case 'mp3':
      return new Mp3OutputFormat();
    case 'flac':
      return new FlacOutputFormat();
    case 'wav':
      return new WavOutputFormat({ large: false });
  }
}

/** Packet by packet, without decoding; the first packet may start before the part. Throws when damaged. */
async function copyAudio(
  from: string,
  to: string,
  extension: AudioExtension,
  onShare: (share: number) => void,
  part?: RecordingPart,
): Promise<void> {
  const input = part === undefined ? openMedia(from) : openRecording(from);
  const output = new Output({ format: formatFor(extension), target: new FilePathTarget(to) });
  try {
    const track = await input.getPrimaryAudioTrack();
    const codec = track === null ? null : await track.getCodec();
    const decoderConfig = track === null ? null : await track.getDecoderConfig();
    if (track === null || codec === null || decoderConfig === null) throw new Error('no sound that can be copied');
    const source = new EncodedAudioPacketSource(codec);
    output.addAudioTrack(source);
    await output.start();
    const sink = new EncodedPacketSink(track);
    const firstPacket = part === undefined ? null : await sink.getPacket(part.startMs / 1000);
    // Uncompressed samples can be split anywhere, others only between packets.
    const isExact = part !== undefined && codec.startsWith('pcm');
    const begin = firstPacket?.timestamp ?? (await track.getFirstTimestamp());
    const first = isExact ? Math.max(begin, part.startMs / 1000) : begin;
    const end = part === undefined ? Infinity : part.endMs / 1000;
    const seconds = part === undefined ? ((await track.getDurationFromMetadata().catch(() => null)) ?? 0) : end - first;
    let meta: { decoderConfig: AudioDecoderConfig } | undefined = { decoderConfig };
    for await (const packet of sink.packets(firstPacket ?? undefined)) {
      if (packet.timestamp >= end) break;
      const own = isExact ? samplesBetween(packet, first, end, decoderConfig.sampleRate) : packet;
      await source.add(own.clone({ timestamp: own.timestamp - first }), meta);
      meta = undefined;
      onShare(seconds > 0 ? Math.min(1, (packet.timestamp - first) / seconds) : 0);
    }
    await output.finalize();
  } catch (error) {
    await output.cancel().catch(() => undefined);
    throw error;
  } finally {
    input.dispose();
  }
}

function samplesBetween(packet: EncodedPacket, from: number, to: number, rate: number): EncodedPacket {
  const frames = Math.round(packet.duration * rate);
  const bytesPerFrame = packet.data.length / frames;
  const skipped = Math.min(frames, Math.max(0, Math.round((from - packet.timestamp) * rate)));
  const kept = Math.min(frames, Math.max(skipped, Math.round((to - packet.timestamp) * rate)));
  return packet.clone({
    data: packet.data.subarray(skipped * bytesPerFrame, kept * bytesPerFrame),
    timestamp: packet.timestamp + skipped / rate,
    duration: (kept - skipped) / rate,
  });
}

async function probeAudio(path: string): Promise<ProbedMedia> {
  const input = openMedia(path);
  try {
    const [audio, video] = await Promise.all([input.getPrimaryAudioTrack(), input.getPrimaryVideoTrack()]);
    const seconds = await input.getDurationFromMetadata().catch(() => null);
    const durationMs = seconds !== null && Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : null;
    const about = {
      hasVideo: video !== null,
      containers: video === null ? [] : await containersThatFit(video),
      hasSubtitles: video !== null && (await hasSubtitles(path)),
      hasSecondAudio: (await input.getAudioTracks()).length > 1,
      durationMs,
    };
    if (audio === null) return { ...about, sound: null };
    const codec = await audio.getCodec();
    // Broadcast streams begin at an arbitrary time; what counts is how much later than the picture the audio begins.
    const lateBy = (await audio.getFirstTimestamp()) - (await input.getFirstTimestamp());
    return { ...about, sound: { codec, startMs: Math.max(0, Math.round(lateBy * 1000)) } };
  } finally {
    input.dispose();
  }
}
