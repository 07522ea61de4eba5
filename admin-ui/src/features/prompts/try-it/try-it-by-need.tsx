import { byNeed } from '../../../components/by-need.tsx';

/** A form that fills in the variables of a template, with what the service would return. */
export const TryIt = byNeed('try-it', async () => (await import('./try-it.tsx')).TryIt);
