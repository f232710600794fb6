import {
  ALL_FORMATS,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
  type InputTrack,
} from 'mediabunny';

const formats = {
  mkv: () => new MkvOutputFormat(),
  mov: () => new MovOutputFormat(),
  mp4: () => new Mp4OutputFormat(),
  webm: () => new WebMOutputFormat(),
};

/**
 * Writes a video with the audio of `soundFrom`, shifted by `lateBySeconds`, and arbitrary pictures. The audio is copied
 * unchanged, so that its packets can be compared later.
 */
export async function makeVideo(
  to: string,
  container: keyof typeof formats,
  soundFrom: string,
  lateBySeconds = 0,
): Promise<void> {
  const input = new Input({ source: new FilePathSource(soundFrom), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  const codec = await track?.getCodec();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track || !codec || !decoderConfig) throw new Error(`no sound in ${soundFrom}`);
  const output = new Output({ format: formats[container](), target: new FilePathTarget(to) });
  const picture = new EncodedVideoPacketSource('vp9');
  const audio = new EncodedAudioPacketSource(codec);
  output.addVideoTrack(picture, { frameRate: 10 });
  output.addAudioTrack(audio);
  await output.start();
  const videoConfig = { codec: 'vp09.00.10.08', codedWidth: 64, codedHeight: 64 };
  for (let frame = 0; frame < 20; frame += 1) {
    const packet = new EncodedPacket(new Uint8Array(4000).fill(frame), 'key', frame / 10, 0.1);
    await picture.add(packet, frame === 0 ? { decoderConfig: videoConfig } : undefined);
  }
  let isFirst = true;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const timestamp = Math.max(0, packet.timestamp) + lateBySeconds;
    await audio.add(packet.clone({ timestamp }), isFirst ? { decoderConfig } : undefined);
    isFirst = false;
  }
  await output.finalize();
  input.dispose();
}

/** The packets of a file's audio, in order. */
export const soundPackets = (path: string): Promise<readonly Buffer[]> =>
  packetsOf(path, (input) => input.getPrimaryAudioTrack());

/** The packets of a file's pictures, in order. */
export const picturePackets = (path: string): Promise<readonly Buffer[]> =>
  packetsOf(path, (input) => input.getPrimaryVideoTrack());

async function packetsOf(
  path: string,
  trackOf: (input: Input) => Promise<InputTrack | null>,
): Promise<readonly Buffer[]> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const track = await trackOf(input);
  if (!track) throw new Error(`no such track in ${path}`);
  const packets: Buffer[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(Buffer.from(packet.data));
  input.dispose();
  return packets;
}
