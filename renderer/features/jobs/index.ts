export { JobsCard, linesAtOnce, type JobLine } from './jobs-card.tsx';
export { hasWork, JobSounds } from './jobs-summary.ts';
