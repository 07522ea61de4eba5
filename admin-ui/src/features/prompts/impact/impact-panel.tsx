import { byNeed } from '../../../components/by-need.tsx';

/** Who is affected by a change: the API keys that fetched it within seven days. */
export const ImpactPanel = byNeed('impact-panel', async () => {
  const { ImpactPanelView } = await import('./impact-panel-view.tsx');
  return { ImpactPanelView };
});
