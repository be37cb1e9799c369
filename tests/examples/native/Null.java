import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import jdk.incubator.foreign.Addressable;
import jdk.incubator.foreign.CLinker;
import jdk.incubator.foreign.FunctionDescriptor;
import jdk.incubator.foreign.MemoryAddress;
import jdk.incubator.foreign.SymbolLookup;

/** A virtual machine finds out by SIGSEGV that a reference is null; it still does with a core open. */
public class Null {
  static int[] nothing;

  static int caught() {
    int caught = 0;
    for (int i = 0; i < 20000; i++) {
      try {
        caught += nothing[i];
      } catch (NullPointerException exception) {
        caught++;
      }
    }
    return caught;
  }

  static MethodHandle call(String name, MethodType type, FunctionDescriptor function) {
    Addressable found = SymbolLookup.loaderLookup().lookup(name).get();
    return CLinker.getInstance().downcallHandle(found.address(), type, function);
  }

  public static void main(String[] words) throws Throwable {
    System.load(Path.of(words[0], "libgridalloc.so").toAbsolutePath().toString());
    MethodHandle open =
        call("gridalloc_open", MethodType.methodType(MemoryAddress.class), FunctionDescriptor.of(CLinker.C_POINTER));
    MethodHandle version =
        call(
            "gridalloc_abi_version",
            MethodType.methodType(int.class, MemoryAddress.class),
            FunctionDescriptor.of(CLinker.C_INT, CLinker.C_POINTER));
    MemoryAddress core = (MemoryAddress) open.invokeExact();
    System.out.println("version " + (int) version.invokeExact(core) + ", caught " + caught());
  }
}
