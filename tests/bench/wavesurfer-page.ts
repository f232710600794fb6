import WaveSurfer from 'wavesurfer.js';

/** The page that a kept waveform is compared with: wavesurfer with as many peaks, which it has already. */
declare global {
  interface Window {
    showWaveform: (seconds: number) => Promise<number>;
  }
}

const nextFrame = () => new Promise(requestAnimationFrame);

/** Returns how many milliseconds passed until it was painted. */
window.showWaveform = async (seconds) => {
  const peaks = Float32Array.from({ length: seconds * 200 }, (_, at) => Math.sin(at / 37) * Math.sin(at / 911));
  const container = document.body.appendChild(document.createElement('div'));
  await nextFrame();
  await nextFrame();
  const from = performance.now();
  const wavesurfer = WaveSurfer.create({ container, peaks: [peaks], duration: seconds, minPxPerSec: 50 });
  await new Promise((resolve) => {
    wavesurfer.on('redrawcomplete', () => {
      resolve(null);
    });
  });
  await nextFrame();
  const channel = new MessageChannel();
  channel.port2.postMessage(null);
  await new Promise((resolve) => {
    channel.port1.addEventListener('message', resolve);
    channel.port1.start();
  });
  return performance.now() - from;
};
