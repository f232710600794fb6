import type { JsonLog } from './json-log.ts';

/** The log for as long as the person keeps one: asked at each line, so that a change acts at once. */
export const optionalLog = (log: JsonLog, isKept: () => boolean): JsonLog => ({
  get lostLines() {
    return log.lostLines;
  },
  write(entry) {
    if (isKept()) log.write(entry);
  },
});
