import { open } from 'node:fs/promises';
import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import { openAudio } from '../decode/open-audio.ts';
import { fileSink } from './audio-sink.ts';
import type { AudioWriter } from './audio-writer.ts';
import { openAudioWriter } from './open-audio-writer.ts';

/** Writes the audio of a file in another format, piece by piece. Throws what the decoders throw. */
export async function convertFile(
  format: AudioExtension,
  inputPath: string,
  outputPath: string,
  onProgress: () => void,
): Promise<void> {
  const input = await open(inputPath, 'r');
  const output = await open(outputPath, 'w', 0o600);
  let writer: AudioWriter | null = null;
  try {
    for await (const { channels, sampleRate } of (await openAudio(input, inputPath)).blocks) {
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
