import { CircleAlert } from 'lucide-react';
import { useLocation } from 'wouter';
import { useJobs } from '../bridge/live-state.tsx';
import { JobsCard, type JobLine } from '../features/jobs/index.ts';
import { useQueueRefusal, useQueueRows, type QueueRow } from '../features/transcribe/index.ts';
import { useKeyFor } from '../lib/commands.tsx';
import { useFailureWords } from '../lib/failure-words.ts';
import { useText } from '../lib/text.ts';
import { useNow } from '../lib/use-now.ts';
import { Banner } from '../ui/banner.tsx';
import { useShellLayer } from './shell-layer.ts';

const doneShown = 3;

/** The card of jobs and its list, with the words and actions that the queue gives its rows. */
export function JobsDock({ look = 'card' }: { readonly look?: 'card' | 'ring' }) {
  const { jobs } = useJobs();
  const { layer, show } = useShellLayer();
  const [, navigate] = useLocation();
  const keyFor = useKeyFor();
  const isOpen = layer === 'jobs';
  const close = () => {
    show('none');
  };
  return (
    <JobsCard
      jobs={jobs}
      look={look}
      isOpen={isOpen}
      shortcut={keyFor('jobs.open')}
      onOpenChange={(open) => {
        show(open ? 'jobs' : 'none');
      }}
      notice={<Refusal />}
      lines={useLines(isOpen, close)}
      onOpenQueue={() => {
        close();
        navigate('/');
      }}
    />
  );
}

function useLines(isOpen: boolean, close: () => void): readonly JobLine[] {
  const t = useText();
  const { jobs } = useJobs();
  const rowsOf = useQueueRows();
  const nowMs = useNow(isOpen);
  if (!isOpen) return [];
  const rows = rowsOf(jobs, nowMs).filter(({ job }) => job.state.tag !== 'cancelled');
  const done = rows.filter(({ job }) => job.state.tag === 'done').slice(0, doneShown);
  const others = rows.filter(({ job }) => job.state.tag !== 'done');
  const toLine = ({ job, look, actions }: QueueRow): JobLine => {
    const { open, main, cancel } = actions;
    // A question or another screen comes next, and it is not to lie under this list.
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
  return [...others, ...done].map(toLine);
}

function Refusal() {
  const t = useText();
  const words = useFailureWords();
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
