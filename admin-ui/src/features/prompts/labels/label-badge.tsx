import { Badge } from '@mantine/core';

/** A label, with the version that it serves where that does not stand beside it. */
export const LabelBadge = ({ label, version }: { label: string; version?: string }) => (
  <Badge
    color="spruce"
    size="sm"
    maw={220}
    title={version ? `${label} serves ${version}` : label}
    rightSection={version && <span className="cv-mono">→ {version}</span>}
  >
    {label}
  </Badge>
);
