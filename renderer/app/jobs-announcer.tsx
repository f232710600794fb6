import { useEffect, useRef, useState } from 'react';
import { modeOf } from '../../shared/domain/modes.ts';
import { VisuallyHidden } from 'react-aria-components';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { useJobs, useConnection } from '../bridge/live-state.tsx';
import { useFailureWords } from '../lib/failure-words.ts';
import { Scope } from '../lib/scope.ts';
import { useFormats, useText } from '../lib/text.ts';
import { newsBetween, type JobNews } from './job-announcements.ts';

const atMostEveryMs = 5000;

/** The one polite live region for jobs: start, done, failed and each quarter, at most one message in five seconds. */
export function JobsAnnouncer() {
  const { jobs, isLoading } = useJobs();
  const [message, setMessage] = useState('');
  const announced = useRef<readonly JobView[] | null>(null);
  const latest = useRef(jobs);
  const quietUntil = useRef(0);
  const write = useNewsText();
  const writeNow = useRef(write);

  useEffect(() => {
    latest.current = jobs;
    writeNow.current = write;
  });
  useEffect(() => {
    if (isLoading) return undefined;
    if (announced.current === null) {
      announced.current = jobs;
      return undefined;
    }
    const scope = new Scope();
    scope.after(Math.max(0, quietUntil.current - performance.now()), () => {
      const news = newsBetween(announced.current ?? [], latest.current);
      if (news === null) return;
      announced.current = latest.current;
      quietUntil.current = performance.now() + atMostEveryMs;
      setMessage(writeNow.current(news));
    });
    return () => {
      scope.dispose();
    };
  }, [jobs, isLoading]);

  return (
    <VisuallyHidden>
      <output aria-live="polite">{message}</output>
    </VisuallyHidden>
  );
}

function useNewsText(): (news: JobNews) => string {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const { origin } = modeOf(useConnection().mode);
  return (news) =>
    formats.list([
      ...(news.added > 0 ? [t('shell.announce.added', { count: news.added })] : []),
      ...(news.started > 0 ? [t('shell.announce.started', { count: news.started })] : []),
      ...(news.done > 0 ? [t('shell.announce.done', { count: news.done })] : []),
      ...(news.failed > 0 && news.reason
        ? [t('shell.announce.failed', { count: news.failed, reason: words(news.reason).title })]
        : []),
      ...(news.sentQuarter === null || origin === 'local'
        ? []
        : [t('shell.announce.sent', { percent: formats.percent(news.sentQuarter) })]),
    ]);
}
