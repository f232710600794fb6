import wasmUrl from '@jitsi/rnnoise-wasm/dist/rnnoise.wasm?url';
import type { CaptureFrame, EndFrames } from './capture-frame.ts';
import { SpeechDetector } from './speech-detector.ts';

export interface DetectSpeech {
  readonly frames: MessagePort;
  readonly page: MessagePort;
}

/** Frames pass without a result while there is no detector; WebAssembly compiles in workers only. */
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
    // The audio thread answers when everything it captured has been sent.
    if (data === 'finish') frames.postMessage(data);
    else end();
  });
  frames.start();
  page.start();
});
