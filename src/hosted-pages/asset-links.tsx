/** What the head of a page has of its assets. */
import type { PageAssets } from './assets.js';

interface AssetLinksProps {
  readonly assets: PageAssets;
  /** The relative path from the page to the one that the assets are below. */
  readonly toAssets: string;
}

export function AssetLinks({ assets, toAssets }: AssetLinksProps) {
  const [script, ...modules] = assets.scriptPaths;
  return (
    <>
      <link rel="stylesheet" href={`${toAssets}${assets.stylePath}`} />
      {modules.map((path) => (
        <link key={path} rel="modulepreload" href={`${toAssets}${path}`} />
      ))}
      <script type="module" src={`${toAssets}${script}`} />
    </>
  );
}
