import { Preview } from "headless-next/preview";

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <Preview />
        {children}
      </body>
    </html>
  );
}
