import { awaitFirstAnswers } from '../bridge/await-first-answers.ts';

// The file of the studio is read meanwhile (`scripts/first-screen-files.ts`). It is run, and draws, in one go when there
// is something to draw: that is one drawing, and the browser keeps the compiled code of what ran in it.
const first = await awaitFirstAnswers(window.studio);
const { renderStudio } = await import('./render.tsx');
await renderStudio(first);
