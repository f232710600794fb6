import { detailOf, sampleTranscript } from '../page-editor/support/transcripts.ts';
import { planStudio } from '../support/studio-plan.ts';
import type { ScreenState } from './screens.ts';
import { brokenJob } from './shell-states.ts';

const unreadable = detailOf({ ...sampleTranscript('interview-uz'), segments: [null] as never }, null);

/** What is left when a part breaks. */
export const crashStates: readonly ScreenState[] = [
  {
    name: 'crash of the whole window',
    isDefect: 'whole',
    plan: planStudio({ jobs: [brokenJob] }),
    proof: (page) => page.locator('pre'),
  },
  {
    name: 'crash of one part of the window',
    isDefect: 'part',
    location: '/transcripts/t1',
    plan: planStudio({ answers: { 'transcripts.open': unreadable } }),
    reach: (page) => page.locator('pre').waitFor(),
    proof: (page) => page.getByRole('navigation'),
  },
];
