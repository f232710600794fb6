import { open, type FileHandle } from 'node:fs/promises';
import { openAudio } from '../../audio/decode/open-audio.ts';
import { Undecodable, type PcmBlock } from '../../../shared/domain/audio/pcm-block.ts';
import { Resampler } from '../../../shared/domain/media/resample.ts';
import { rnnoiseRate } from '../../../shared/domain/audio/rnnoise.ts';
import { wavHeader, wavHeaderBytes } from '../../../shared/domain/media/wav-header.ts';
import { interleave16 } from '../../audio/encode/wav.ts';
import { NoiseSuppressor } from './noise-suppressor.ts';
import { SpeechRestorer } from './restore-speech.ts';

/** Listeners of speech gain nothing from more than two channels. */
const mostChannels = 2;

interface Channel {
  readonly resampler: Resampler;
  readonly suppressor: NoiseSuppressor;
  /** Null: the denoised audio is not processed further. */
  readonly restorer: SpeechRestorer | null;
}

const restored = ({ restorer }: Channel, samples: Float32Array): Float32Array => restorer?.push(samples) ?? samples;

class CleanWriter {
  readonly #file: FileHandle;
  readonly #channels: readonly Channel[];
  #bytes = 0;

  private constructor(file: FileHandle, channels: readonly Channel[]) {
    this.#file = file;
    this.#channels = channels;
  }

  static async open(
    file: FileHandle,
    { channels, sampleRate }: PcmBlock,
    restoresSpeech: boolean,
  ): Promise<CleanWriter> {
    const opened = await Promise.all(
      channels.slice(0, mostChannels).map(async () => ({
        resampler: new Resampler(sampleRate, rnnoiseRate),
        suppressor: await NoiseSuppressor.open(),
        restorer: restoresSpeech ? new SpeechRestorer(rnnoiseRate) : null,
      })),
    );
    await file.write(wavHeader(0, rnnoiseRate, opened.length), 0, wavHeaderBytes, 0);
    return new CleanWriter(file, opened);
  }

  async #append(parts: readonly Float32Array[]): Promise<void> {
    const data = interleave16(parts);
    await this.#file.write(data, 0, data.length, wavHeaderBytes + this.#bytes);
    this.#bytes += data.length;
  }

  async add({ channels }: PcmBlock): Promise<void> {
    await this.#append(
      this.#channels.map((channel, at) =>
        restored(channel, channel.suppressor.push(channel.resampler.push(channels[at] ?? new Float32Array()))),
      ),
    );
  }

  /** Resolves with the length of the audio in milliseconds. */
  async finish(): Promise<number> {
    await this.#append(
      this.#channels.map((channel) => restored(channel, channel.suppressor.push(channel.resampler.flush()))),
    );
    await this.#append(this.#channels.map((channel) => restored(channel, channel.suppressor.flush())));
    await this.#file.write(wavHeader(this.#bytes, rnnoiseRate, this.#channels.length), 0, wavHeaderBytes, 0);
    await this.#file.sync();
    return Math.round((this.#bytes / (2 * this.#channels.length * rnnoiseRate)) * 1000);
  }

  free(): void {
    for (const { suppressor } of this.#channels) suppressor.free();
  }
}

/** Writes the audio of a file without its noise as a 48 kHz WAV, piece by piece. Throws what the decoders throw. */
export async function suppressFile(
  inputPath: string,
  outputPath: string,
  restoresSpeech: boolean,
  onProgress: () => void,
): Promise<number> {
  const input = await open(inputPath, 'r');
  const output = await open(outputPath, 'w', 0o600);
  let writer: CleanWriter | null = null;
  try {
    for await (const block of (await openAudio(input, inputPath)).blocks) {
      writer ??= await CleanWriter.open(output, block, restoresSpeech);
      await writer.add(block);
      onProgress();
    }
    if (writer === null) throw new Undecodable('invalid_audio', 'no sound could be decoded');
    return await writer.finish();
  } finally {
    writer?.free();
    await input.close();
    await output.close();
  }
}
