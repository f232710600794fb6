import { z } from 'zod';

// No code is made from text in main, not even by a library that could be faster that way (S-03). This is the first that
// main reads, so it holds before any shape is described.
z.config({ jitless: true });
