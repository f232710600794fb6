import type { VideoFormat } from '../../shared/domain/exports/formats.ts';
import { lengthOf, type VideoPiece } from '../../shared/domain/media/video-pieces.ts';
import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  MATROSKA,
  MkvOutputFormat,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  OGG,
  Output,
  QTFF,
  WEBM,
  WebMOutputFormat,
  type EncodedPacket,
  type InputTrack,
  type InputVideoTrack,
} from 'mediabunny';

export interface ReplacedAudio {
  readonly from: string;
  /** In an M4A, or in an OGG for WebM. */
  readonly audio: string;
  readonly to: string;
  /** Whether the audio begins where that of the video does, and not where the video begins. */
  readonly isCutToAudio: boolean;
  readonly container: VideoFormat;
  /** Only these are copied, and only the picture and this audio. */
  readonly pieces?: readonly CopiedPiece[] | undefined;
}

/** `keySeconds`: when the picture that it begins with is shown, in the video. */
export interface CopiedPiece extends VideoPiece {
  readonly keySeconds: number;
}

interface Copy {
  readonly packets: AsyncGenerator<EncodedPacket, void, unknown>;
  readonly add: (packet: EncodedPacket) => Promise<void>;
  readonly close: () => void;
}

export const openVideo = (path: string): Input =>
  new Input({
    source: new FilePathSource(path, { maxCacheSize: 4 * 1024 * 1024 }),
    formats: [MP4, QTFF, WEBM, MATROSKA, OGG],
  });

const formats = {
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  mov: () => new MovOutputFormat({ fastStart: false }),
  mkv: () => new MkvOutputFormat(),
  webm: () => new WebMOutputFormat(),
} satisfies Record<VideoFormat, unknown>;

export const containersThatFit = async (pictures: InputVideoTrack): Promise<readonly VideoFormat[]> => {
  const codec = await pictures.getCodec();
  const names = Object.keys(formats) as VideoFormat[];
  return names.filter((name) => codec !== null && formats[name]().getSupportedVideoCodecs().includes(codec));
};

/** Where in the video its separate audio begins, in seconds. */
export async function beginOf(video: Input, isCutToAudio: boolean): Promise<number> {
  const own = isCutToAudio ? await video.getPrimaryAudioTrack() : null;
  return own === null ? video.getFirstTimestamp() : own.getFirstTimestamp();
}

/** Packet by packet: pictures are never encoded again. */
export async function replaceAudio(
  { from, audio, to, isCutToAudio, container, pieces }: ReplacedAudio,
  onShare: (share: number) => void,
): Promise<void> {
  const [video, other] = [openVideo(from), openVideo(audio)];
  const output = new Output({ format: formats[container](), target: new FilePathTarget(to) });
  try {
    const [own, cleaned] = await Promise.all([video.getPrimaryAudioTrack(), other.getPrimaryAudioTrack()]);
    if (own === null || cleaned === null) throw new Error('no audio to replace');
    const begin = await beginOf(video, isCutToAudio);
    // Matroska has no time before its beginning.
    const earliest = container === 'mkv' || container === 'webm' ? 0 : -Infinity;
    const shift = pieces === undefined ? Math.max(earliest, begin) : Math.max(0, -(pieces[0]?.startMs ?? 0)) / 1000;
    const tracks = await video.getTracks();
    const pictures = await video.getPrimaryVideoTrack();
    const copies: Copy[] = [];
    for (const track of pieces === undefined ? tracks : tracks.filter((one) => one === own || one === pictures))
      copies.push(
        await (track === own
          ? copyOf(output, { track: cleaned, named: track, shift, earliest })
          : copyOf(output, { track, named: track, shift: 0, earliest: -Infinity, pieces, begin })),
      );
    output.setMetadataTags(await video.getMetadataTags());
    await output.start();
    const all = (await video.getDurationFromMetadata().catch(() => null)) ?? 0;
    const seconds = pieces === undefined ? all : lengthOf(pieces, all * 1000) / 1000;
    await interleave(copies, (time) => onShare(seconds > 0 ? Math.max(0, Math.min(1, time / seconds)) : 0));
    await output.finalize();
  } catch (error) {
    await output.cancel().catch(() => undefined);
    throw error;
  } finally {
    video.dispose();
    other.dispose();
  }
}

interface Copied {
  readonly track: InputTrack;
  /** Has what is said of the track: its name, language and purpose. */
  readonly named: InputTrack;
  readonly shift: number;
  readonly earliest: number;
  readonly pieces?: readonly CopiedPiece[] | undefined;
  readonly begin?: number;
}

/** In the order of decoding; their times follow one another. */
async function* packetsOf(
  track: InputTrack,
  pieces: readonly CopiedPiece[],
  begin: number,
): AsyncGenerator<EncodedPacket, void, unknown> {
  const sink = new EncodedPacketSink(track);
  let before = 0;
  for (const { keySeconds, from, to, startMs, endMs } of pieces) {
    const start = startMs / 1000 + begin;
    const end = endMs / 1000 + begin;
    const first = await sink.getKeyPacket(keySeconds);
    if (first === null) throw new Error('no picture to begin with');
    let left = to - from;
    if (left > 0)
      for await (const packet of sink.packets(first)) {
        // What is shown before the picture that it follows needs others that are left out.
        if (packet.timestamp >= keySeconds)
          yield packet.clone({
            timestamp: packet.timestamp - start + before,
            duration: Math.min(packet.duration, end - packet.timestamp),
          });
        left -= 1;
        if (left === 0) break;
      }
    before += end - start;
  }
}

async function copyOf(output: Output, { track, named, shift, earliest, pieces, begin = 0 }: Copied): Promise<Copy> {
  const [languageCode, name] = await Promise.all([named.getLanguageCode(), named.getName()]);
  const about = {
    ...(/^[a-z]{3}$/u.test(languageCode) && { languageCode }),
    ...(name !== null && { name }),
    disposition: await named.getDisposition(),
  };
  const packets = pieces === undefined ? new EncodedPacketSink(track).packets() : packetsOf(track, pieces, begin);
  if (track.isVideoTrack()) {
    const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
    if (codec === null || decoderConfig === null) throw new Error('pictures that cannot be copied');
    const source = new EncodedVideoPacketSource(codec);
    output.addVideoTrack(source, {
      ...about,
      transformationMatrix: await track.getTransformationMatrix(),
      canBeTransparent: await track.canBeTransparent(),
    });
    let latest = -Infinity;
    return {
      packets,
      add: (packet) => {
        // Some files call a picture a key although earlier ones come after it.
        const isKey = packet.type === 'key' && packet.timestamp >= latest;
        latest = Math.max(latest, packet.timestamp);
        return source.add(isKey ? packet : packet.clone({ type: 'delta' }), { decoderConfig });
      },
      close: () => source.close(),
    };
  }
  if (!track.isAudioTrack()) throw new Error('a track that cannot be copied');
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
  if (codec === null || decoderConfig === null) throw new Error('audio that cannot be copied');
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source, about);
  return {
    packets,
    add: async (packet) => {
      const timestamp = packet.timestamp + shift;
      if (timestamp >= earliest) await source.add(packet.clone({ timestamp }), { decoderConfig });
    },
    close: () => source.close(),
  };
}

/** By time, so that no track waits in memory for another. */
async function interleave(copies: readonly Copy[], onTime: (seconds: number) => void): Promise<void> {
  let heads: { readonly copy: Copy; readonly packet: EncodedPacket }[] = [];
  const advance = async (copy: Copy) => {
    const { value: packet } = await copy.packets.next();
    if (packet === undefined) copy.close();
    else heads.push({ copy, packet });
  };
  for (const copy of copies) await advance(copy);
  while (heads.length > 0) {
    const first = heads.reduce((one, other) => (other.packet.timestamp < one.packet.timestamp ? other : one));
    heads = heads.filter((head) => head !== first);
    await first.copy.add(first.packet);
    onTime(first.packet.timestamp);
    await advance(first.copy);
  }
}
