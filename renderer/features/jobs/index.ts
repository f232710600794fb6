export { JobsCard } from './jobs-card.tsx';
export { hasWork, JobSounds } from './jobs-summary.ts';
