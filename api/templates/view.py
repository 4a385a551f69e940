# What this run left, in ParaView: paraview --script=view.py, or File > Load State; pvbatch view.py PICTURE.png draws it.
#
# Opens the last series of pictures, or the one that SERIES names (a file .pvd below this folder): structure deformed so that it can be seen, in
# von Mises' stress where there is some (modes: in displacement), contact points as discs whose colour says whether they are open, stick or slip,
# with their forces as arrows, supports of tubes, plane models from the front without perspective.
import glob
import os
import sys

from paraview.simple import *

SERIES = ""
folder = os.path.dirname(os.path.abspath(__file__)) if "__file__" in globals() else os.getcwd()


def series_of(folder):
    found = [os.path.join(folder, SERIES)] if SERIES else sorted(glob.glob(os.path.join(folder, "*", "*.pvd")), key=os.path.getmtime)
    found = [path for path in found if not path.endswith(("-contact.pvd", "-supports.pvd", "-joints.pvd"))]
    if not found:
        raise SystemExit("there is no series of pictures below " + folder)
    return found[-1]


def size_of(source):
    x0, x1, y0, y1, z0, z1 = source.GetDataInformation().GetBounds()
    return max(x1 - x0, y1 - y0, z1 - z0), (z1 - z0) == 0


def largest(source, name):
    """Over the whole series."""
    most = 0.0
    for time in source.TimestepValues or [0.0]:
        source.UpdatePipeline(time)
        array = source.PointData.GetArray(name)
        most = max(most, max(abs(bound) for bound in array.GetRange(-1))) if array else most
    return most


def plain(shown):
    """One colour. (ColorBy(shown, None) fails in ParaView 5.11 where nothing has coloured it before.)"""
    shown.ColorArrayName = ["POINTS", ""]


def by_status(shown, view):
    """What contact points do, each state with its colour and name."""
    ColorBy(shown, ("POINTS", "status"))
    colours = GetColorTransferFunction("status")
    colours.InterpretValuesAsCategories = 1
    colours.Annotations = ["0", "open", "1", "sticks", "2", "slips"]
    colours.IndexedColors = [1.0, 1.0, 1.0, 0.2, 0.85, 0.3, 1.0, 0.6, 0.0]
    shown.SetScalarBarVisibility(view, True)
    legend = GetScalarBar(colours, view)
    legend.Title, legend.ComponentTitle, legend.WindowLocation = "contact", "", "Upper Right Corner"
    legend.TitleFontSize, legend.LabelFontSize = 8, 8


def warp(source, scale):
    warped = WarpByVector(Input=source, Vectors=["POINTS", "displacement"])
    warped.ScaleFactor = scale
    return warped


path = series_of(folder)
structure = PVDReader(FileName=path)
structure.UpdatePipeline()
size, flat = size_of(structure)
moved = largest(structure, "displacement")
scale = 0.1 * size / moved if moved > 0 else 1.0
view = GetActiveViewOrCreate("RenderView")
shown = Show(warp(structure, scale), view)
shape = os.path.basename(path).startswith("mode")  # has no size of its own
field = "von_mises" if not shape and largest(structure, "von_mises") > 0 else "displacement"
ColorBy(shown, ("POINTS", field))
shown.SetScalarBarVisibility(view, True)
bar = GetScalarBar(GetColorTransferFunction(field), view)
if field == "von_mises":
    bar.Title, bar.ComponentTitle = "von Mises stress [Pa]", ""
else:
    bar.Title, bar.ComponentTitle = "mode, of unit modal mass" if shape else "displacement [m]", "magnitude"
bar.TitleFontSize, bar.LabelFontSize, bar.WindowLocation = 8, 8, "Lower Center"
bar.Orientation = "Horizontal"
outline = Show(structure, view)
outline.Representation = "Outline"
if os.path.exists(path[:-4] + "-contact.pvd"):
    contact = PVDReader(FileName=path[:-4] + "-contact.pvd")
    points = Show(warp(contact, scale), view)
    points.Representation = "Point Gaussian"
    points.ShaderPreset, points.GaussianRadius = "Plain circle", 0.006 * size
    by_status(points, view)
    if largest(contact, "force") > 0:
        arrows = Glyph(Input=warp(contact, scale), GlyphType="Arrow")
        arrows.OrientationArray, arrows.ScaleArray = ["POINTS", "force"], ["POINTS", "force"]
        arrows.ScaleFactor, arrows.GlyphMode = 0.1 * size / largest(contact, "force"), "All Points"
        plain(Show(arrows, view))
if os.path.exists(path[:-4] + "-supports.pvd"):
    supports = Show(PVDReader(FileName=path[:-4] + "-supports.pvd"), view)
    supports.Opacity = 0.4
    plain(supports)
view.InteractionMode = "2D" if flat else "3D"
view.CameraParallelProjection = 1 if flat else 0
ResetCamera(view)
GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
GetAnimationScene().GoToLast()
shown.RescaleTransferFunctionToDataRangeOverTime()  # one range for the whole series
Render(view)
if len(sys.argv) > 1 and sys.argv[-1].endswith(".png"):
    SaveScreenshot(sys.argv[-1], view, ImageResolution=[1200, 800])
    print(f"{os.path.relpath(path, folder)}: {field}, deformed {scale:.6g} times")
