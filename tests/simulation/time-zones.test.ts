import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBackupDue, listBackups } from '../../electron/storage/library-backups.ts';
import { dayToShow } from '../../shared/domain/account/usage-report.ts';
import { copyName } from '../../shared/domain/exports/safe-file-name.ts';
import { dailyUse, dayOf } from '../../shared/domain/ledger/usage-by-day.ts';
import { writeDate, writeTime } from '../../shared/domain/text/write-locale.ts';
import { folderOfFile } from '../support/test-folders.ts';

const hourMs = 3_600_000;
/**
 * Among them: no change at all, one of half an hour, one at midnight, and two zones that share an offset at other
 * times.
 */
const zones = [
  'Asia/Tashkent',
  'Europe/Berlin',
  'Europe/London',
  'Africa/Cairo',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
] as const;
const yearStart = Date.UTC(2026, 0, 1);
const yearEnd = Date.UTC(2027, 0, 1);
const own = process.env['TZ'];
/** What is tested: the same program, moved from one zone to another while it runs. */
const travelTo = (zone: string): void => void (process.env['TZ'] = zone);
const root = folderOfFile();
beforeAll(() => mkdirSync(join(root, 'backups')));
afterAll(() => {
  if (own === undefined) delete process.env['TZ'];
  else process.env['TZ'] = own;
});

describe('F-35: another time zone, and clocks that are put forward and back', () => {
  it('dates and times are local to where the computer is now, wherever it was before', () => {
    const wrong: string[] = [];
    for (const zone of [...zones, ...zones.toReversed()]) {
      travelTo(zone);
      const dates = new Intl.DateTimeFormat('en-GB', {
        timeZone: zone,
        day: 'numeric',
        month: 'short',
        year: 'numeric',
      });
      const times = new Intl.DateTimeFormat('en-GB', {
        timeZone: zone,
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      });
      const numbers = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
      for (let at = yearStart + 17 * 60_000; at < yearEnd; at += 11 * hourMs) {
        const [date, time] = [dates.format(at), times.format(at)];
        const facts = { sourceName: 'a.wav', finishedAtMs: at, language: 'uz', speakerCount: 1 } as const;
        const copy = copyName('{date} {time}', facts, '.srt');
        if (writeDate(at, 'en') !== date) wrong.push(`${zone} ${at}: ${writeDate(at, 'en')} for ${date}`);
        if (writeTime(at, 'en') !== time) wrong.push(`${zone} ${at}: ${writeTime(at, 'en')} for ${time}`);
        if (copy !== `${numbers.format(at)} ${time.replace(':', '-')}.srt`) wrong.push(`${zone} ${at}: ${copy}`);
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it.each(zones)('%s: a day of the service is shown with its own date', (zone) => {
    travelTo(zone);
    for (let at = yearStart; at < yearEnd; at += 24 * hourMs) {
      const date = new Date(dayToShow({ source: 'service' }, at));
      const shown = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => `${part}`.padStart(2, '0'));
      expect(shown.join('-')).toBe(new Date(at).toISOString().slice(0, 10));
    }
  });

  it.each(zones)(
    '%s: every moment of a year is in one day, of 23, 24 or 25 hours, and a payment is in it once',
    (zone) => {
      travelTo(zone);
      let { fromMs, toMs } = dayOf(yearStart);
      let count = 0;
      for (; fromMs < yearEnd; count += 1) {
        expect([23, 23.5, 24, 24.5, 25]).toContain((toMs - fromMs) / hourMs);
        expect(dayOf(toMs - 1)).toEqual({ fromMs, toMs });
        const next = dayOf(toMs);
        expect(next.fromMs).toBe(toMs);
        ({ fromMs, toMs } = next);
      }
      expect(count).toBeGreaterThanOrEqual(365);
      const facts = Array.from({ length: 365 * 24 }, (_, hour) => ({
        product: 'stt',
        beganAtMs: yearStart + hour * hourMs,
        state: 'accepted' as const,
        estimate: null,
        report: null,
      }));
      const days = dailyUse(facts, (at) => -new Date(at).getTimezoneOffset());
      expect(days.reduce((sum, day) => sum + day.accepted, 0)).toBe(facts.length);
      expect(new Set(days.map(({ day }) => day)).size).toBe(days.length);
      for (const { accepted } of days.slice(1, -1)) expect([23, 24, 25]).toContain(accepted);
    },
  );

  it('the backup of a library in use is made once an hour, whatever the wall clock does', () => {
    const path = join(root, 'library.db');
    const made: number[] = [];
    const from = Date.UTC(2026, 2, 25);
    for (let minutes = 0; minutes < 60 * 24 * 14; minutes += 20) {
      const now = from + minutes * 60_000;
      travelTo(zones[(minutes / 20) % zones.length] ?? 'UTC');
      writeFileSync(path, 'changed');
      utimesSync(path, now / 1000, now / 1000);
      if (!isBackupDue(path, now)) continue;
      const copy = join(root, 'backups', `library-${String(made.length).padStart(3, '0')}.db`);
      writeFileSync(copy, '');
      utimesSync(copy, now / 1000, now / 1000);
      made.push(now);
    }
    expect(listBackups(path)).toHaveLength(made.length);
    const gaps = made.slice(1).map((at, index) => (at - (made[index] ?? 0)) / hourMs);
    expect(gaps.every((hours) => hours === 1)).toBe(true);
    expect(made.length).toBe(24 * 14);
  });
});
