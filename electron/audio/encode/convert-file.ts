import { open } from 'node:fs/promises';
import type { SoundExtension } from '../../../shared/domain/media/sound-plan.ts';
import { openSound } from '../decode/open-sound.ts';
import { fileSink } from './audio-sink.ts';
import type { AudioWriter } from './audio-writer.ts';
import { openAudioWriter } from './open-audio-writer.ts';

/** Writes the audio of a file in another format, piece by piece. Throws what the decoders throw. */
export async function convertFile(
  format: SoundExtension,
  inputPath: string,
  outputPath: string,
  onProgress: () => void,
): Promise<void> {
  const input = await open(inputPath, 'r');
  const output = await open(outputPath, 'w', 0o600);
  let writer: AudioWriter | null = null;
  try {
    for await (const { channels, sampleRate } of (await openSound(input, inputPath)).blocks) {
      const channelCount = Math.min(2, channels.length);
      writer ??= await openAudioWriter({ format, sampleRate, channelCount }, fileSink(output));
      await writer.write(channels);
      onProgress();
    }
    await writer?.finish();
    writer = null;
    await output.sync();
  } finally {
    await writer?.cancel();
    await input.close();
    await output.close();
  }
}
