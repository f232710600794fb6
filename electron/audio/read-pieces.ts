import { EncodedPacketSink, type EncodedPacket, type InputVideoTrack } from 'mediabunny';
import { lengthOf, planPieces, type Picture } from '../../shared/domain/media/video-pieces.ts';
import type { TimeSpan } from '../../shared/domain/transcript/transcript.ts';
import { beginOf, openVideo, type CopiedPiece } from './copy-video.ts';

export interface PlannedVideo {
  readonly path: string;
  readonly isCutToAudio: boolean;
  readonly spans: readonly TimeSpan[];
  readonly durationMs: number;
}

/** Reads when each picture is shown, and no picture. Throws when there is none. */
export async function readPieces(
  { path, isCutToAudio, spans, durationMs }: PlannedVideo,
  onSign: () => void,
): Promise<{ readonly pieces: readonly CopiedPiece[]; readonly longerMs: number }> {
  const video = openVideo(path);
  try {
    const track = await video.getPrimaryVideoTrack();
    if (track === null) throw new Error('no pictures to cut');
    const begin = await beginOf(video, isCutToAudio);
    const sink = new EncodedPacketSink(track);
    const pictures: Picture[] = [];
    const times: number[] = [];
    let endMs = durationMs;
    for await (const { timestamp, duration, type } of sink.packets(undefined, undefined, { metadataOnly: true })) {
      times.push(timestamp);
      pictures.push({ atMs: (timestamp - begin) * 1000, isKey: type === 'key' });
      endMs = Math.max(endMs, (timestamp + duration - begin) * 1000);
      if (times.length % 1000 === 0) onSign();
    }
    const checked = new Set<number>();
    for (;;) {
      const pieces = planPieces(pictures, spans, endMs);
      let isWrong = false;
      for (const [at, { from }] of pieces.entries()) {
        if (checked.has(from) || pictures[from]?.isKey !== true) continue;
        checked.add(from);
        onSign();
        const first = await sink.getKeyPacket(times[from] ?? 0);
        if (first === null || (await canBegin(track, first, at === 0))) continue;
        pictures[from] = { atMs: pictures[from]?.atMs ?? 0, isKey: false };
        isWrong = true;
      }
      if (!isWrong)
        return {
          pieces: pieces.map((piece) => ({ ...piece, keySeconds: times[piece.from] ?? 0 })),
          longerMs: lengthOf(pieces, endMs) - lengthOf(spans, endMs),
        };
    }
  } finally {
    video.dispose();
  }
}

/** Some files call a picture a key frame although it needs others, or counts on from those before it. */
async function canBegin(track: InputVideoTrack, packet: EncodedPacket, isFirst: boolean): Promise<boolean> {
  if ((await track.determinePacketType(packet)) === 'delta') return false;
  const [codec, config] = [await track.getCodec(), await track.getDecoderConfig()];
  if ((codec !== 'avc' && codec !== 'hevc') || config?.description === undefined) return true;
  const heads = unitHeads(packet.data, bytesOf(config.description), codec === 'avc' ? 4 : 21);
  // An IDR picture; of HEVC also a BLA picture, and a CRA picture where nothing is before it.
  if (codec === 'avc') return heads.some((head) => (head & 0x1f) === 5);
  return heads.some((head) => head >> 1 >= 16 && head >> 1 <= (isFirst ? 21 : 20));
}

const bytesOf = (source: AllowSharedBufferSource): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);

/** The first byte of each unit of a packet; the description says how long the length before each is. */
function unitHeads(packet: Uint8Array, description: Uint8Array, lengthPlace: number): readonly number[] {
  const lengthBytes = ((description[lengthPlace] ?? 3) & 3) + 1;
  const heads: number[] = [];
  for (let at = 0; at + lengthBytes < packet.length;) {
    const length = packet.subarray(at, at + lengthBytes).reduce((sum, byte) => sum * 256 + byte, 0);
    heads.push(packet[at + lengthBytes] ?? 0);
    at += lengthBytes + length;
  }
  return heads;
}
