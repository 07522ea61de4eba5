import { byNeed } from '../../../components/by-need.tsx';

/** The differences of two templates. */
export const TemplateDiff = byNeed(
  'template-diff',
  async () => (await import('./template-diff-view.tsx')).TemplateDiffView,
);
