import { CircleAlert } from 'lucide-react';
import { useLocation } from 'wouter';
import { useJobs } from '../bridge/live-state.tsx';
import { JobsCard, linesAtOnce, type JobLine } from '../features/jobs/index.ts';
import { sortJobs, useQueueRefusal, useQueueRows, type QueueRow } from '../features/transcribe/index.ts';
import { useKeyFor } from '../lib/commands.tsx';
import { useFailureText } from '../lib/failure-text.ts';
import { useText } from '../lib/text.ts';
import { useNow } from '../lib/use-now.ts';
import { Banner } from '../ui/banner.tsx';
import { useShellLayer } from './shell-layer.ts';

const doneShown = 3;

export function JobsDock({ look = 'card' }: { readonly look?: 'card' | 'ring' }) {
  const { jobs } = useJobs();
  const { layer, show } = useShellLayer();
  const [, navigate] = useLocation();
  const keyFor = useKeyFor();
  const isOpen = layer === 'jobs';
  const close = () => show('none');
  return (
    <JobsCard
      jobs={jobs}
      look={look}
      isOpen={isOpen}
      shortcut={keyFor('jobs.open')}
      onOpenChange={(open) => show(open ? 'jobs' : 'none')}
      notice={<Refusal />}
      {...useLines(isOpen, close)}
      onOpenQueue={() => {
        close();
        navigate('/');
      }}
    />
  );
}

function useLines(
  isOpen: boolean,
  close: () => void,
): { readonly lines: readonly JobLine[]; readonly hiddenCount: number } {
  const t = useText();
  const { jobs } = useJobs();
  const rowsOf = useQueueRows();
  const nowMs = useNow(isOpen);
  if (!isOpen) return { lines: [], hiddenCount: 0 };
  const sorted = sortJobs(jobs).filter(({ state }) => state.tag !== 'cancelled');
  const done = sorted.filter(({ state }) => state.tag === 'done').slice(0, doneShown);
  const listed = [...sorted.filter(({ state }) => state.tag !== 'done'), ...done];
  const toLine = ({ job, look, actions }: QueueRow): JobLine => {
    const { open, main, cancel } = actions;
    // A dialog or another screen follows, and this list must not cover it.
    const leaving = (run: () => void) => () => {
      close();
      run();
    };
    return {
      id: job.id,
      name: job.name,
      icon: look.icon,
      tone: look.tone,
      status: look.status,
      fact: look.facts[0] ?? null,
      progress: look.progress,
      action: open
        ? { text: t('common.open'), run: leaving(open) }
        : main && {
            text: main.text,
            ...(main.icon ? { icon: main.icon } : {}),
            run: main.onAction,
          },
      cancel: job.state.tag === 'needs-user' || cancel === null ? null : leaving(cancel),
    };
  };
  // Texts are made only for what is shown: thousands of rows would block the page.
  const shown = listed.slice(0, linesAtOnce);
  return { lines: rowsOf(shown, nowMs).map(toLine), hiddenCount: listed.length - shown.length };
}

function Refusal() {
  const t = useText();
  const words = useFailureText();
  const { failure, hide } = useQueueRefusal();
  if (failure === null) return null;
  const { title, text } = words(failure);
  return (
    <Banner
      role="alert"
      tone="bad"
      icon={CircleAlert}
      title={title}
      onDismiss={hide}
      dismissLabel={t('common.dismiss')}
    >
      {text}
    </Banner>
  );
}
