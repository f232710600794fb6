import { memo } from 'react';
import { createRoot } from 'react-dom/client';

/** The page that opening is compared with: React with an element for each word, all of them on the page. */
declare global {
  interface Window {
    /** Returns how many milliseconds passed until the words were painted. */
    showWords: (segments: readonly Words[]) => Promise<number>;
  }
}
type Words = readonly { readonly text: string; readonly startMs: number }[];

const Segment = memo(function Segment({ words }: { readonly words: Words }) {
  return (
    <p>
      {words.map(({ text, startMs }) => (
        <span key={startMs} data-start={startMs}>
          {text}{' '}
        </span>
      ))}
    </p>
  );
});

window.showWords = (segments) =>
  new Promise((resolve) => {
    const place = document.createElement('div');
    place.style.cssText = 'height: 700px; width: 900px; overflow: auto';
    document.body.append(place);
    const from = performance.now();
    const seen = new MutationObserver(() => {
      seen.disconnect();
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.addEventListener('message', () => {
          resolve(performance.now() - from);
        });
        painted.port1.start();
        painted.port2.postMessage(null);
      });
    });
    seen.observe(place, { childList: true });
    createRoot(place).render(segments.map((words) => <Segment key={words[0]?.startMs} words={words} />));
  });
