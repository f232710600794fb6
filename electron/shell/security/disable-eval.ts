import { z } from 'zod';

// Main never compiles code from text, not even in a library that would be faster that way (S-03). This module is loaded
// first, so the setting applies to every schema.
z.config({ jitless: true });
