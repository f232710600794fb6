export { QueueProvider } from './queue-provider.tsx';
export { TranscribeScreen } from './transcribe-screen.tsx';
export { useQueueRefusal, useQueueRows, type QueueRow } from './queue-rows.ts';
export { sortJobs } from './model/selectors.ts';
export { useJobActions as useRowActions } from './ui/job-actions.ts';
