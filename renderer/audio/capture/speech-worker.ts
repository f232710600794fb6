import wasmUrl from '@jitsi/rnnoise-wasm/dist/rnnoise.wasm?url';
import type { CaptureFrame, EndFrames } from './capture-frame.ts';
import { SpeechDetector } from './speech-detector.ts';

/** One microphone: frames come from the audio thread and go to the page, with what the detector says of them. */
export interface DetectSpeech {
  readonly frames: MessagePort;
  readonly page: MessagePort;
}

/**
 * Entry of the thread that tells speech from noise, between the audio thread and the page: WebAssembly is compiled in
 * workers only. Frames that come before the detector is there, or where it can't be had, go on without an opinion.
 */
let newDetector: (() => SpeechDetector) | null = null;
SpeechDetector.open({ locateFile: () => wasmUrl }).then(
  (create) => (newDetector = create),
  () => undefined,
);

addEventListener('message', ({ data: { frames, page } }: MessageEvent<DetectSpeech>) => {
  let detector: SpeechDetector | null = null;
  const end = (): void => {
    frames.close();
    page.close();
    detector?.free();
    detector = null;
  };
  frames.addEventListener('message', ({ data }: MessageEvent<CaptureFrame | null>) => {
    if (data === null) {
      page.postMessage(null);
      end();
      return;
    }
    detector ??= newDetector?.() ?? null;
    const speech = detector === null ? null : detector.hear(data.pcm);
    page.postMessage({ ...data, speech }, [data.pcm.buffer]);
  });
  page.addEventListener('message', ({ data }: MessageEvent<EndFrames>) => {
    // The audio thread answers when all that it heard has gone out.
    if (data === 'finish') frames.postMessage(data);
    else end();
  });
  frames.start();
  page.start();
});
