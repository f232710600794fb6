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
  type OutputFormat,
} from 'mediabunny';

export interface ReplacedAudio {
  readonly from: string;
  /** AAC in an M4A for MP4 and MOV, Vorbis in an OGG for Matroska and WebM. */
  readonly audio: string;
  readonly to: string;
  /** Whether the audio begins where that of the video does, and not where the video begins. */
  readonly isCutToAudio: boolean;
}

interface Copy {
  readonly packets: AsyncGenerator<EncodedPacket, void, unknown>;
  readonly add: (packet: EncodedPacket) => Promise<void>;
  readonly close: () => void;
}

const read = (path: string): Input =>
  new Input({
    source: new FilePathSource(path, { maxCacheSize: 4 * 1024 * 1024 }),
    formats: [MP4, QTFF, WEBM, MATROSKA, OGG],
  });

/** A copy of a video in its own container; pictures and other tracks are copied packet by packet. */
export async function replaceAudio(
  { from, audio, to, isCutToAudio }: ReplacedAudio,
  onShare: (share: number) => void,
): Promise<void> {
  const [video, other] = [read(from), read(audio)];
  const container = await video.getFormat();
  const format = formatLike(container);
  const output = new Output({ format, target: new FilePathTarget(to) });
  try {
    const [own, cleaned] = await Promise.all([video.getPrimaryAudioTrack(), other.getPrimaryAudioTrack()]);
    if (own === null || cleaned === null) throw new Error('no audio to replace');
    const begin = await (isCutToAudio ? own.getFirstTimestamp() : video.getFirstTimestamp());
    // Matroska has no time before its beginning.
    const shift = container === MATROSKA || container === WEBM ? Math.max(0, begin) : begin;
    const copies: Copy[] = [];
    for (const track of await video.getTracks())
      copies.push(await (track === own ? copyOf(output, cleaned, track, shift) : copyOf(output, track, track, 0)));
    output.setMetadataTags(await video.getMetadataTags());
    await output.start();
    const seconds = (await video.getDurationFromMetadata().catch(() => null)) ?? 0;
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

function formatLike(container: unknown): OutputFormat {
  if (container === QTFF) return new MovOutputFormat({ fastStart: false });
  if (container === MATROSKA) return new MkvOutputFormat();
  return container === WEBM ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: false });
}

/** `named` has what is said of the track: its name, language and purpose. */
async function copyOf(output: Output, track: InputTrack, named: InputTrack, shift: number): Promise<Copy> {
  const [languageCode, name] = await Promise.all([named.getLanguageCode(), named.getName()]);
  const about = {
    ...(/^[a-z]{3}$/u.test(languageCode) && { languageCode }),
    ...(name !== null && { name }),
    disposition: await named.getDisposition(),
  };
  const packets = new EncodedPacketSink(track).packets();
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
    add: (packet) => source.add(packet.clone({ timestamp: packet.timestamp + shift }), { decoderConfig }),
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
