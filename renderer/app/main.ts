import { awaitFirstAnswers } from '../bridge/await-first-answers.ts';

// The app's script is loaded meanwhile (`scripts/first-screen-files.ts`). It runs and renders in one go when there is
// something to show: that is a single render, and the browser caches the compiled code of whatever ran in it.
const first = await awaitFirstAnswers(window.studio);
const { renderStudio } = await import('./render.tsx');
await renderStudio(first);
