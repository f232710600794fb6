export { JobsCard } from './jobs-card.tsx';
export { JobSounds } from './job-sounds.tsx';
export { hasWork } from './jobs-summary.ts';
export { linesAtOnce, type JobLine } from './jobs-list.tsx';
