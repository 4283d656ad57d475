export default function NotFound() {
  return (
    <main>
      <h1>There is no such page</h1>
      <p>If a preview link led you here, it has ended, or shows nothing here.</p>
    </main>
  );
}
