import type { CdpSession } from './cdp.ts';

const beat = 10_000;

/** Reports when a page has not run anything for two beats in a row, and when it runs again. */
export function watchPulse(cdp: CdpSession, changed: (isAnswering: boolean) => void): NodeJS.Timeout {
  let missed = 0;
  let isWaiting = false;
  const check = () => {
    if (isWaiting) {
      missed++;
      if (missed === 2) changed(false);
      return;
    }
    isWaiting = true;
    const answered = () => {
      isWaiting = false;
      if (missed >= 2) changed(true);
      missed = 0;
    };
    cdp.send('Runtime.evaluate', { expression: '0' }).then(answered, answered);
  };
  return setInterval(check, beat).unref();
}
