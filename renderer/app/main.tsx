import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../ui/base.css';
import { createStudioClient } from '../bridge/client.ts';
import { App } from './app.tsx';
import { preferredLanguage } from '../../shared/domain/languages.ts';
import { createWords } from './words.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

const words = await createWords(preferredLanguage(navigator.languages));
createRoot(root).render(
  <StrictMode>
    <App studio={createStudioClient(window.studio)} words={words} />
  </StrictMode>,
);
